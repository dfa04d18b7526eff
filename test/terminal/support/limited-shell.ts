import { openProcessLimits } from '../../../src/server/process/process-limits.ts'
import { createTerminal } from '../../../src/server/terminal/create-terminal.ts'
import type { ShellEnd } from '../../../src/server/terminal/terminal.ts'
import type { TerminalOptions } from '../../../src/server/terminal/terminal-options.ts'

/** A server of its own, to be started as another user: runs commands in a limited shell, says how. */
const { options, limits, commands, cwd } = JSON.parse(process.argv[2] ?? '') as {
  options: Omit<TerminalOptions, 'onShellEnd'>
  limits: { tasks: number; memoryBytes: number }
  /** `restart` ends the shell for a new one. */
  commands: readonly string[]
  cwd: string
}
const { limitedCommand, inForce } = openProcessLimits({ ...limits, cgroupRoot: '/nowhere' })
let onEnd: (end: ShellEnd) => void = () => {}
const terminal = createTerminal({
  ...options,
  limit: (file, args) => limitedCommand(file, args, 'long'),
  onShellEnd: (end) => onEnd(end),
})
const say = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`)

async function start(generation: number): Promise<void> {
  const started = await terminal.start({ generation, cwd })
  if (!started.ok) throw new Error(started.error)
}

await start(1)
say(inForce('long'))
for (const [index, command] of commands.entries()) {
  if (command === 'restart') {
    const ended = new Promise<ShellEnd>((resolve) => {
      onEnd = resolve
    })
    await terminal.interrupt('restart')
    say(await ended)
    await start(index + 2)
    continue
  }
  const end = await terminal.run(
    { id: `sh-${index}`, command, by: 'person', timeoutMs: 0 },
    {
      signal: new AbortController().signal,
      onOutput() {},
      onWaits() {},
      onTimeout() {},
      onStatus() {},
    },
  )
  say({ exitCode: end.exitCode, output: end.output.head })
}
await terminal.close()
