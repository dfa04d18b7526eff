import { createTerminal } from '../../../src/server/terminal/create-terminal.ts'
import type { TerminalRun } from '../../../src/server/terminal/terminal.ts'
import type { TerminalOptions } from '../../../src/server/terminal/terminal-options.ts'

/** A server of its own, to be killed: starts a shell and a run, and says what it sees on stdout. */
const { options, run, cwd } = JSON.parse(process.argv[2] ?? '') as {
  options: Omit<TerminalOptions, 'onShellEnd'>
  run: TerminalRun
  cwd: string
}
const terminal = createTerminal({ ...options, onShellEnd() {} })
const started = await terminal.start({ generation: 1, cwd })
if (!started.ok) throw new Error(started.error)
process.stdout.write('started\n')
await terminal.run(run, {
  signal: new AbortController().signal,
  onOutput: (text) => process.stdout.write(text),
  onWaits() {},
  onTimeout() {},
  onStatus() {},
})
process.stdout.write('ended\n')
