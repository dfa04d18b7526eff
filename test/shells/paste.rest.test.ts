// needs: zsh fish
import { expect, test, type TestContext } from 'vitest'
import type { ShellName } from '../../src/protocol/events/shell.ts'
import { runOf, text } from '../terminal/support/temp-shell.ts'
import { type HomeShell, startHomeShell } from './support/shell-home.ts'

async function ownShell(shell: ShellName, { onTestFinished }: TestContext): Promise<HomeShell> {
  const own = await startHomeShell(shell)
  onTestFinished(own.close)
  return own
}

/** What makes a shell forget the keys that commands are entered with. */
const deafening: readonly { shell: ShellName; how: string; command: string }[] = [
  {
    shell: 'bash',
    how: 'the keys unbound',
    command: 'for map in emacs vi-insert vi-command; do bind -m $map -r "\\e\\C-^1"; done',
  },
  { shell: 'bash', how: 'no line editor', command: 'set +o emacs' },
  { shell: 'zsh', how: 'its own keys restored', command: 'bindkey -d' },
  {
    shell: 'fish',
    how: 'the keys erased',
    command: 'for mode in default insert; bind -M $mode --erase \\e\\x1e1; end',
  },
]

// Each has a shell of its own, and waits for most of its time whether that answers.
test.concurrent.for(deafening)(
  '[SHELL23] a shell that does not know our keys is typed to: $shell, $how',
  async ({ shell, command }, context) => {
    const own = await ownShell(shell, context)
    await own.run('echo before')
    expect(await own.run(command)).toMatchObject({ outcome: 'ended', exitCode: 0 })
    const first = await own.run("echo one; sh -c 'exit 3'")
    expect(first).toMatchObject({ outcome: 'ended', exitCode: 3 })
    expect(text(first.output)).toBe('one\n')
    // What would mean something else at a prompt.
    const odd = await own.run("echo 'a!b' # c\nprintf 'x\\ty  z\\n'\ncd /tmp")
    expect(odd).toMatchObject({ outcome: 'ended', exitCode: 0, cwdAfter: '/tmp' })
    expect(text(odd.output)).toBe('a!b\nx\ty  z\n')
    const wrong = await own.run('echo a )')
    // fish keeps a line with an error in it, and says nothing.
    expect(wrong.outcome).toBe(shell === 'fish' ? 'not_started' : 'ended')
    expect(wrong.exitCode).not.toBe(0)
    expect(own.terminal.liveView.state().integration).toBe('full')
    const { run, watch } = runOf('echo hidden', { by: 'person' })
    expect(await own.terminal.run({ ...run, private: true }, watch)).toMatchObject({
      outcome: 'not_started',
    })
    // A fish whose keys are erased may be slower to show its prompt again than we wait for it.
    if (shell !== 'fish') expect(await own.output('echo after')).toBe('after\n')
  },
)

test.concurrent('[SHELL23] once the shell knows the keys again, they are used', async (context) => {
  const own = await ownShell('zsh', context)
  await own.run('bindkey -d')
  // Only what is entered by key has an environment of its own.
  expect(await own.output('echo "pager: $PAGER"')).toBe('pager: \n')
  await own.run('bindkey "\\e^^1" __tandem_load; bindkey "\\e^^2" .accept-line')
  expect(await own.output('echo "pager: $PAGER"')).toBe('pager: cat\n')
})

test.concurrent('[SHELL23] a shell that says nothing any more is not typed to, and that is said', async (context) => {
  const own = await ownShell('bash', context)
  const unbind = 'for key in 1 2 3 7; do bind -r "\\e\\C-^$key"; done'
  await own.run(`${unbind}; unset PROMPT_COMMAND PS0; PS1='$ '`)
  const next = await own.run('echo next')
  expect(next).toMatchObject({ outcome: 'not_started' })
  expect(text(next.output)).toContain('the shell does not answer')
  expect(own.terminal.liveView.state()).toMatchObject({ integration: 'none' })
})
