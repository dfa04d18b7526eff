import { hiddenAfterRun } from '../../../src/log/evolve-shell.ts'
import type { Hidden } from '../../../src/log/state.ts'
import { createTerminal } from '../../../src/server/terminal/create-terminal.ts'
import {
  shareEmulator,
  type SharedEmulator,
} from '../../../src/server/terminal/emulator/worker/shared-emulator.ts'
import type { Terminal, TerminalRunEnd } from '../../../src/server/terminal/terminal.ts'
import { type Bundle, bundleWorker } from '../../emulator/support/worker-bundle.ts'
import { makeTerminal, runOf, text, type RunOptions, type TempOptions } from './temp-shell.ts'

let bundle: Promise<Bundle> | null = null

export async function removeWorker(): Promise<void> {
  ;(await bundle)?.remove()
  bundle = null
}

/** A shell that the model looks at: private runs are hidden as the session hides them. */
export interface LookedShell {
  terminal(): Terminal
  run(command: string, options?: RunOptions): Promise<TerminalRunEnd>
  runPrivate(command: string): Promise<TerminalRunEnd>
  /** What a private run that was picked up again has shown. */
  hide(end: TerminalRunEnd): void
  read(options?: { lines?: number; ansi?: boolean }): Promise<string>
  home: string
  /** The server is replaced; the shell lives on. */
  restartServer(): Promise<void>
  close(): Promise<void>
}

export async function startLooked(options: TempOptions = {}): Promise<LookedShell> {
  bundle ??= bundleWorker()
  const { entry } = await bundle
  const faults: unknown[] = []
  const emulator: SharedEmulator = shareEmulator({
    entry,
    diagnose: (_message, error) => void faults.push(error),
  })
  const made = await makeTerminal({ bashrc: "PS1='$ '\n", ...options, terminal: { emulator } })
  let hidden: Hidden = []
  let { terminal } = made
  const started = await terminal.start({ generation: 1, cwd: made.home })
  if (!started.ok) throw new Error(started.error)

  async function run(command: string, options: RunOptions & { isPrivate?: boolean } = {}) {
    const { isPrivate = false, ...runOptions } = options
    const { run: order, watch } = runOf(command, { ...runOptions, private: isPrivate })
    const end = await terminal.run(order, watch)
    terminal.settle(order.id)
    note(end, isPrivate)
    return end
  }

  function note(end: TerminalRunEnd, isPrivate: boolean): void {
    hidden = hiddenAfterRun({ hidden, private: false }, { private: isPrivate }, end)
  }

  return {
    terminal: () => terminal,
    run,
    hide: (end) => note(end, true),
    runPrivate: (command) => run(command, { by: 'person', isPrivate: true }),
    read: async ({ lines = 50, ansi = false } = {}) =>
      text(await terminal.read({ lines, ansi, hidden })),
    home: made.home,
    async restartServer() {
      await terminal.detach()
      terminal = createTerminal(made.terminalOptions)
      if ((await terminal.attach(1)) === null) throw new Error('the shell is gone')
    },
    async close() {
      await terminal.close()
      await emulator.close()
      await made.close()
      if (faults.length > 0) throw new Error('the emulator ended', { cause: faults[0] })
    },
  }
}
