// needs: zsh fish
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ShellName } from '../../../src/protocol/events/shell.ts'
import { createTerminal } from '../../../src/server/terminal/create-terminal.ts'
import type { Terminal, TypedReport } from '../../../src/server/terminal/terminal.ts'
import type { TypedEnded, TypedStarted } from '../../../src/session/record/report.ts'
import { startFileOf } from '../../shells/support/start-files.ts'
import { createSignal } from '../../support/signal.ts'
import { makeTerminal, runOf, text, type RunOptions } from './temp-shell.ts'

/** A shell at whose keyboard the test sits. */
export interface TypingShell {
  home: string
  reports: readonly TypedReport[]
  type(keys: string): void
  /** Types it and waits for its end. */
  typed(keys: string): Promise<TypedEnded>
  started(n: number): Promise<TypedStarted>
  ended(n: number): Promise<TypedEnded>
  output(command: string, options?: RunOptions): Promise<string>
  terminal(): Terminal
  /** The server is replaced while the shell lives on; `meanwhile` happens without one. */
  restartServer(meanwhile?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export async function startTyping(
  shell: ShellName,
  { startFile = '', files = {} }: { startFile?: string; files?: Record<string, string> } = {},
): Promise<TypingShell> {
  const reports: TypedReport[] = []
  const changed = createSignal()
  const made = await makeTerminal({
    shell,
    terminal: {
      async onTyped(report) {
        reports.push(report)
        changed.fire()
      },
    },
  })
  for (const [path, content] of Object.entries({ ...files, [startFileOf[shell]]: startFile })) {
    mkdirSync(dirname(join(made.home, path)), { recursive: true })
    writeFileSync(join(made.home, path), content === '' ? '' : `${content}\n`)
  }
  // Else a first fish reads all manual pages in the background, for minutes.
  mkdirSync(join(made.home, '.local/share/fish/generated_completions'), { recursive: true })
  let { terminal } = made
  const opened = await terminal.start({ generation: 1, cwd: made.home })
  if (!opened.ok) throw new Error(opened.error)

  const of = <T extends TypedReport['type']>(type: T) =>
    reports.filter((report): report is TypedReport & { type: T } => report.type === type)

  async function nth<T extends TypedReport['type']>(type: T, n: number) {
    await changed.until(() => of(type).length >= n)
    return of(type)[n - 1]!
  }

  function type(keys: string): void {
    const refusal = terminal.liveView.type(keys)
    if (refusal) throw new Error(refusal.message)
  }

  return {
    home: made.home,
    reports,
    type,
    async typed(keys) {
      const before = of('typed-ended').length
      type(keys)
      return nth('typed-ended', before + 1)
    },
    started: (n) => nth('typed-started', n),
    ended: (n) => nth('typed-ended', n),
    async output(command, options) {
      const { run, watch } = runOf(command, options)
      const end = await terminal.run(run, watch)
      terminal.settle(run.id)
      return text(end.output)
    },
    terminal: () => terminal,
    async restartServer(meanwhile = async () => {}) {
      await terminal.detach()
      await meanwhile()
      terminal = createTerminal(made.terminalOptions)
      if ((await terminal.attach(1)) === null) throw new Error('the shell is gone')
    },
    async close() {
      await terminal.close()
      await made.close()
    },
  }
}
