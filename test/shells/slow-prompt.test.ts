import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import type { TerminalRunEnd } from '../../src/server/terminal/terminal.ts'
import { text } from '../terminal/support/temp-shell.ts'
import { startHomeShell } from './support/shell-home.ts'

/** Once there is a file `slow`, drawing a prompt waits until there is one named `go`. */
const wait = 'while [ -e ~/slow ] && ! [ -e ~/go ]; do sleep 0.01; done'
const slowPrompt: Readonly<Record<ShellName, string>> = {
  bash: `slow() { ${wait}; }; PROMPT_COMMAND=slow`,
  zsh: `slow() { ${wait} }; precmd_functions+=(slow)`,
  fish: `function fish_prompt; while test -e ~/slow; and not test -e ~/go; sleep 0.01; end; echo '> '; end`,
}

test.each(ShellName.options)(
  '[SHELL27] %s: a command of one line ends before a slow prompt, and the next one waits for that',
  async (shell) => {
    const own = await startHomeShell(shell, slowPrompt[shell])
    onTestFinished(own.close)
    const first = await own.run('touch ~/slow; echo one; false')
    expect(first).toMatchObject({ outcome: 'ended', exitCode: 1, cwdAfter: own.home })
    const next = own.run('echo two; cd /')
    writeFileSync(join(own.home, 'go'), '')
    expect(await next).toMatchObject({ outcome: 'ended', exitCode: 0, cwdAfter: '/' })
    const last = await own.run('echo three')
    expect(text(last.output)).toBe('three\n')
    // Keys that come before there is a line editor are shown as they are.
    let shown = ''
    for await (const item of own.terminal.recording())
      if ('bytes' in item) shown += Buffer.from(item.bytes).toString('latin1')
    expect(shown).toContain('three')
    expect(shown).not.toContain('^^')
  },
)

test('[SHELL27] a command that waits for the prompt can be stopped, and is not run', async () => {
  const own = await startHomeShell('bash', slowPrompt.bash)
  onTestFinished(own.close)
  await own.run('touch ~/slow')
  const stop = new AbortController()
  const stopped = own.run('touch ~/ran', { signal: stop.signal })
  stop.abort()
  expect(await stopped).toMatchObject({ outcome: 'not_started' })
  writeFileSync(join(own.home, 'go'), '')
  expect(await own.output('echo ~/*')).toBe(`${own.home}/go ${own.home}/slow\n`)
})

test.each(ShellName.options)(
  '[SHELL27] %s: while one command waits for the prompt a second is not started, and a new server waits too',
  async (shell) => {
    const own = await startHomeShell(shell, slowPrompt[shell])
    onTestFinished(own.close)
    await own.run('touch ~/slow; false')
    await own.terminal.detach()
    await own.terminal.attach(1)
    const [first, second] = [own.run('echo one'), own.run('touch ~/ran')]
    writeFileSync(join(own.home, 'go'), '')
    expect(text((await first).output)).toBe('one\n')
    expect(await second).toMatchObject({ outcome: 'not_started' })
    expect(await own.output('echo ~/*')).toBe(`${own.home}/go ${own.home}/slow\n`)
  },
)

test('[SHELL27] a command that waits for the prompt of a shell whose holder dies is not run, at once', async () => {
  const own = await startHomeShell('bash', slowPrompt.bash)
  onTestFinished(own.close)
  await own.run('touch ~/slow')
  let waited: TerminalRunEnd | null = null
  void own.run('echo one').then((end) => (waited = end))
  const { pid } = JSON.parse(readFileSync(join(own.folder, 'holder.json'), 'utf8')) as {
    pid: number
  }
  process.kill(pid, 'SIGKILL')
  expect(await own.shellEnd).toMatchObject({ reason: 'lost' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(waited).toMatchObject({ outcome: 'not_started' })
  expect(await own.run('echo two')).toMatchObject({ outcome: 'not_started' })
})
