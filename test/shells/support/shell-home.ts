// needs: zsh fish
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ShellName } from '../../../src/protocol/events/shell.ts'
import type { TerminalRunEnd } from '../../../src/server/terminal/terminal.ts'
import { makeTerminal, runOf, text, type RunOptions } from '../../terminal/support/temp-shell.ts'
import { startFileOf } from './start-files.ts'

export interface HomeShell extends Awaited<ReturnType<typeof makeTerminal>> {
  pid: number
  run: (command: string, options?: RunOptions) => Promise<TerminalRunEnd>
  /** What a command prints. */
  output: (command: string, options?: RunOptions) => Promise<string>
}

/** A shell of this kind with a home and a start file of its own. */
export async function startHomeShell(
  shell: ShellName,
  startFile = '',
  env: Record<string, string> = {},
): Promise<HomeShell> {
  const made = await makeTerminal({ shell, env })
  if (startFile !== '') writeHome(made.home, startFileOf[shell], `${startFile}\n`)
  // Else a first fish reads all manual pages in the background, for minutes.
  mkdirSync(join(made.home, '.local/share/fish/generated_completions'), { recursive: true })
  const started = await made.terminal.start({ generation: 1, cwd: made.home })
  if (!started.ok) {
    await made.close()
    throw new Error(started.error)
  }
  const run = (command: string, options?: RunOptions) => {
    const { run, watch } = runOf(command, options)
    return made.terminal.run(run, watch)
  }
  return {
    ...made,
    pid: started.value.pid,
    run,
    output: async (command, options) => text((await run(command, options)).output),
  }
}

export function writeHome(home: string, path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), content)
}
