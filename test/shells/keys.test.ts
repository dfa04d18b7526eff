// needs: zsh fish
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { runOf } from '../terminal/support/temp-shell.ts'
import { typeAs } from './support/person.ts'
import { type HomeShell, startHomeShell } from './support/shell-home.ts'

async function ownShell(shell: ShellName): Promise<HomeShell> {
  const own = await startHomeShell(shell)
  onTestFinished(own.close)
  return own
}

/** Starts a run; resolves once it has printed something. */
async function running(own: HomeShell, command: string) {
  let on: () => void = () => {}
  const started = new Promise<void>((resolve) => {
    on = resolve
  })
  const { run, watch } = runOf(command, { onOutput: () => on() })
  const end = own.terminal.run(run, watch)
  await started
  return { run, watch, end }
}

test.each(ShellName.options)('[SHELL16] Ctrl+\\ ends a program with 131: %s', async (shell) => {
  const own = await ownShell(shell)
  const { run, watch } = await running(own, `sh -c 'ulimit -c 0; echo on; exec sleep 1000'`)
  await typeAs(own, '\x1c', /quit/i)
  expect(await own.terminal.resume(run, watch)).toMatchObject({ outcome: 'ended', exitCode: 131 })
})

test.each(ShellName.options)(
  '[SHELL16] Ctrl+Z stops a program and the run ends; fg goes on with it: %s',
  async (shell) => {
    const own = await ownShell(shell)
    const { signal } = new AbortController()
    const stopped = await running(own, `sh -c 'echo on; read x; echo "got $x"; exit 9'`)
    void own.terminal.send({ type: 'keys', names: ['Ctrl+Z'] }, { signal })
    const end = await stopped.end
    // fish keeps the status of the command before, after Ctrl+Z and after `fg`.
    expect(end).toMatchObject({ outcome: 'ended', exitCode: shell === 'fish' ? 0 : 148 })
    const goesOn = await running(own, 'fg')
    void own.terminal.send({ type: 'text', text: 'word' }, { signal })
    const again = await goesOn.end
    expect(again).toMatchObject({ outcome: 'ended', exitCode: shell === 'fish' ? 0 : 9 })
    expect(again.output.head).toContain('got word\n')
  },
)

// In fish such lines are one line of its editor; in bash they cannot be put aside.
test('[SHELL10] what a person began over several lines is put aside and comes back: zsh', async () => {
  const own = await ownShell('zsh')
  await typeAs(own, "printf 9%s9 'hal\r", /quote>/)
  expect(await own.output('echo one')).toBe('one\n')
  await typeAs(own, "f'\r", /9hal\r*\nf9/)
  expect(await own.output('echo two')).toBe('two\n')
})
