import { createTerminal } from '../../../src/server/terminal/create-terminal.ts'
import type {
  AdoptedShell,
  LevelReport,
  Terminal,
  TerminalRunEnd,
} from '../../../src/server/terminal/terminal.ts'
import { createSignal } from '../../support/signal.ts'
import { makeTerminal, runOf, text, type RunOptions, type TempOptions } from './temp-shell.ts'

/** A shell in which others are started and adopted. */
export interface NestedShell {
  terminal(): Terminal
  home: string
  folder: string
  /** What was told of shells that were adopted or have ended. */
  reports: readonly LevelReport[]
  /** Starts a program and waits until it wants something; its end is another promise. */
  begin(
    command: string,
    options?: RunOptions,
  ): Promise<{ id: string; end: Promise<TerminalRunEnd> }>
  adopt(): Promise<AdoptedShell>
  /** Runs it in the innermost shell. */
  run(command: string, options?: RunOptions): Promise<TerminalRunEnd>
  output(command: string, options?: RunOptions): Promise<string>
  reported(count: number): Promise<readonly LevelReport[]>
  /** The server is replaced while the shells live on; `meanwhile` happens without one. */
  restartServer(meanwhile?: () => Promise<void>): Promise<void>
  recorded(): Promise<string>
  close(): Promise<void>
}

export async function startNested(options: TempOptions = {}): Promise<NestedShell> {
  const reports: LevelReport[] = []
  const changed = createSignal()
  const made = await makeTerminal({
    bashrc: "PS1='outer$ '\n",
    ...options,
    terminal: {
      ...options.terminal,
      async onLevel(report) {
        await options.terminal?.onLevel?.(report)
        reports.push(report)
        changed.fire()
      },
    },
  })
  let { terminal } = made
  const started = await terminal.start({ generation: 1, cwd: made.home })
  if (!started.ok) throw new Error(started.error)

  async function run(command: string, runOptions: RunOptions = {}): Promise<TerminalRunEnd> {
    const { run: order, watch } = runOf(command, runOptions)
    const end = await terminal.run(order, watch)
    terminal.settle(order.id)
    return end
  }

  return {
    terminal: () => terminal,
    home: made.home,
    folder: made.folder,
    reports,
    async begin(command, runOptions = {}) {
      let id = ''
      let end: Promise<TerminalRunEnd> = Promise.reject(new Error('never'))
      end.catch(() => {})
      await new Promise<void>((resolve, reject) => {
        const { run: order, watch } = runOf(command, {
          by: 'person',
          ...runOptions,
          onWaits: () => resolve(),
        })
        id = order.id
        end = terminal.run(order, watch)
        end.then((ended) => reject(new Error(`it ended: ${text(ended.output)}`)), reject)
      })
      return { id, end }
    },
    async adopt() {
      const adopted = await terminal.adopt()
      if (!adopted.ok) throw new Error(adopted.error)
      return adopted.value
    },
    run,
    output: async (command, runOptions) => text((await run(command, runOptions)).output),
    async reported(count) {
      await changed.until(() => reports.length >= count)
      return reports
    },
    async restartServer(meanwhile = async () => {}) {
      await terminal.detach()
      await meanwhile()
      terminal = createTerminal(made.terminalOptions)
      if ((await terminal.attach(1)) === null) throw new Error('the shell is gone')
    },
    async recorded() {
      const parts: Buffer[] = []
      for await (const item of terminal.recording())
        if ('bytes' in item) parts.push(Buffer.from(item.bytes))
      return Buffer.concat(parts).toString('utf8')
    },
    async close() {
      await terminal.close()
      await made.close()
    },
  }
}
