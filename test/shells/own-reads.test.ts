// needs: zsh fish vi
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import type { TerminalInput } from '../../src/protocol/events/call.ts'
import type { RunWatch } from '../../src/server/terminal/terminal.ts'
import { text } from '../terminal/support/temp-shell.ts'
import { type HomeShell, startHomeShell } from './support/shell-home.ts'

/** Begins a command, and goes on when it needs somebody. */
async function waiting(own: HomeShell, command: string) {
  let onWaits: RunWatch['onWaits'] = () => {}
  const need = new Promise<string>((resolve) => {
    onWaits = resolve
  })
  const end = own.run(command, { onWaits })
  return { need: await need, end }
}

const { signal } = new AbortController()
const enter: TerminalInput = { type: 'keys', names: ['Enter'] }

const reads = [
  { shell: 'bash', command: 'read -e x; echo "[$x]"', need: 'waiting' },
  { shell: 'zsh', command: 'x=; vared x; echo "[$x]"', need: 'waiting' },
  { shell: 'fish', command: 'read x; echo "[$x]"', need: 'waiting' },
] as const

test.each(reads)(
  '[SHELL35] a shell that reads with its own line editor inside a command waits: $shell: $command',
  async ({ shell, command, need }) => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    const run = await waiting(own, command)
    expect(run.need).toBe(need)
    await own.terminal.send({ type: 'text', text: 'abc' }, { signal })
    await own.terminal.send(enter, { signal })
    const end = await run.end
    expect([text(end.output), end.exitCode]).toEqual([expect.stringMatching(/\[abc\]\n$/), 0])
    expect(await own.output('echo next')).toBe('next\n')
  },
)

test('[SHELL35] fish: what its own `read -s` is given is a secret', async () => {
  const own = await startHomeShell('fish')
  onTestFinished(own.close)
  const { need, end } = await waiting(own, 'read -s x')
  expect(need).toBe('secret')
  expect(await own.terminal.send(enter, { signal })).toMatchObject({ state: 'secret' })
  await own.terminal.interrupt('int')
  expect(await end).toMatchObject({ outcome: 'ended' })
})

test.each(ShellName.options)(
  '[SHELL35] %s: a program that takes the place of the shell is followed to its end',
  async (shell) => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    const { need, end } = await waiting(own, 'exec vi -u NONE')
    expect(need).toBe('screen')
    await own.terminal.send({ type: 'text', text: ':cq 3' }, { signal })
    await own.terminal.send(enter, { signal })
    expect(await end).toMatchObject({ outcome: 'shell_exited', exitCode: 3 })
  },
)
