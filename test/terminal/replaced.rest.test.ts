// needs: zsh fish
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { text } from './support/temp-shell.ts'
import { startNested, type NestedShell } from './support/nested-shell.ts'

async function nested(): Promise<NestedShell> {
  const shell = await startNested()
  onTestFinished(shell.close)
  mkdirSync(join(shell.home, '.local/share/fish/generated_completions'), { recursive: true })
  writeFileSync(join(shell.home, '.zshrc'), '')
  return shell
}

test.each([
  ['bash', 'bash', '(exit 7)'],
  ['zsh', 'zsh', '(exit 7)'],
  ['fish', 'fish', 'sh -c "exit 7"'],
])(
  '[TERM192] after `exec %s` commands run in the new shell, without a word of anybody',
  async (program, name, seven) => {
    const shell = await nested()
    expect(await shell.run(`exec ${program}`)).toMatchObject({ outcome: 'ended', exitCode: null })
    const ran = await shell.run(`echo here; ${seven}`, { by: 'person' })
    expect([text(ran.output), ran.exitCode]).toEqual(['here\n', 7])
    expect(shell.reports).toMatchObject([{ type: 'shell-adopted', level: 0, shell: name }])
    // And once more in that one.
    await shell.run(`exec ${program}`)
    expect(text((await shell.run('echo again', { by: 'person' })).output)).toBe('again\n')
  },
)

test('[TERM192] a model’s command that was meant for the shell before is not run in the one that took its place', async () => {
  const shell = await nested()
  await shell.run('exec bash')
  const first = await shell.run('touch ~/ran')
  expect(first).toMatchObject({ outcome: 'not_started' })
  expect(text(first.output)).toMatch(/taken its place.*adopted now/)
  expect(await shell.output('ls ~')).not.toContain('ran')
})

test('[TERM192] of a shell that cannot be adopted each command says so at once, and what helps', async () => {
  const shell = await nested()
  await shell.run('exec sh')
  for (const command of ['echo one', 'echo two']) {
    const end = await shell.run(command, { by: 'person' })
    expect(end).toMatchObject({ outcome: 'not_started' })
    expect(text(end.output)).toMatch(/taken its place.*cannot be adopted.*\/adopt.*restart/)
  }
})

test('[TERM192] what a person became by typing `exec` is adopted, too', async () => {
  const shell = await nested()
  shell.terminal().liveView.type('exec bash --norc\r')
  await shell.reported(1)
  expect(text((await shell.run('echo typed', { by: 'person' })).output)).toBe('typed\n')
})
