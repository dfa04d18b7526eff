// needs: zsh fish
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { text } from '../terminal/support/temp-shell.ts'
import { startHomeShell } from './support/shell-home.ts'

test('[SHELL11] bash: a readonly HISTIGNORE stops no command but private ones, which would stay in the history', async () => {
  const own = await startHomeShell('bash', 'readonly HISTIGNORE=ls')
  onTestFinished(own.close)
  expect(await own.run('echo one; false')).toMatchObject({ outcome: 'ended', exitCode: 1 })
  const hidden = await own.run('echo hidden', { by: 'person', private: true })
  expect(hidden.outcome).toBe('not_started')
  expect(await own.output('history')).not.toContain('hidden')
  expect(await own.output('history | grep -c "echo on[e]"')).toBe('1\n')
  expect(await own.output('history -a; cat ~/.bash_history')).not.toContain('echo one')
})

test.each(['bash', 'zsh'] as const)(
  '[SHELL1] %s: pagers that are readonly stay as they are, and commands run',
  async (shell) => {
    const own = await startHomeShell(shell, 'readonly PAGER=less')
    onTestFinished(own.close)
    expect(await own.output('echo $PAGER $GIT_PAGER; readonly MANPAGER')).toBe('less cat\n')
    const after = await own.run('echo $PAGER; false', { by: 'person' })
    expect([text(after.output), after.exitCode]).toEqual(['less\n', 1])
  },
)

test.each(['bash', 'zsh'] as const)(
  '[SHELL1] %s: a shell that ends at the first failure does not end by ours',
  async (shell) => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    await own.run('set -e')
    for (const by of ['model', 'person'] as const) {
      expect(await own.run(`echo ${by}`, { by })).toMatchObject({ outcome: 'ended', exitCode: 0 })
    }
  },
)

test('[SHELL1] zsh: with readonly histchars commands run, and prompts do not follow each other without end', async () => {
  const own = await startHomeShell('zsh', 'readonly histchars')
  onTestFinished(own.close)
  expect(await own.output('echo a # b')).toBe('a\n')
  expect(await own.output('echo c')).toBe('c\n')
})

test('[SHELL1] fish: a line that fails before it runs has its code, and a comment after it none', async () => {
  const own = await startHomeShell('fish')
  onTestFinished(own.close)
  for (const [command, exitCode] of [
    ['echo *.none', 124],
    ['echo *.none', 124],
    ['# only a comment', 0],
    ['echo *.none', 124],
    ['true', 0],
  ] as const) {
    expect(await own.run(command)).toMatchObject({ outcome: 'ended', exitCode })
  }
})

test.each(ShellName.options)(
  '[SHELL1] %s: a line that ends in a backslash is incomplete, one that ends in two is not',
  async (shell) => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    const cut = await own.run('echo a \\')
    expect([text(cut.output), cut.exitCode]).toEqual([expect.stringContaining('incomplete'), 130])
    const whole = await own.run('echo a \\\\')
    expect([text(whole.output), whole.exitCode]).toEqual(['a \\\n', 0])
  },
)

test('[SHELL1] bash: a PS0 of somebody else, set while our hooks are gone, is drawn whole', async () => {
  const own = await startHomeShell('bash')
  onTestFinished(own.close)
  const drawn = '-'.repeat(300)
  await own.run(`PS0=${drawn}; unset PROMPT_COMMAND`)
  const first = await own.run('echo a; false')
  expect([text(first.output), first.exitCode]).toEqual([`${drawn}a\n`, 1])
  expect(await own.output('echo b')).toBe('b\n')
})
