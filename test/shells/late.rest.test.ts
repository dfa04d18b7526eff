import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, type TestContext } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import type { RunStatus } from '../../src/server/terminal/terminal.ts'
import { text, type RunOptions } from '../terminal/support/temp-shell.ts'
import { loadsOf } from './support/loaded-marks.ts'
import { type EditedShell, startEditing } from './support/edited-line.ts'

async function ownShell(shell: ShellName, { onTestFinished }: TestContext): Promise<EditedShell> {
  const own = await startEditing(shell)
  onTestFinished(own.close)
  return own
}

/** Starts a run whose shell does not read, and resolves when that is shown. */
async function runLate(own: EditedShell, options: RunOptions = {}) {
  const seen: RunStatus[] = []
  let onLate: () => void = () => {}
  const late = new Promise<void>((resolve) => {
    onLate = resolve
  })
  const stop = new AbortController()
  const end = own.run('echo once >>ran; echo out', {
    ...options,
    signal: stop.signal,
    onStatus(status) {
      seen.push(status)
      if (status === 'shell') onLate()
    },
  })
  await late
  return { end, stop, seen }
}

const ran = (own: EditedShell) =>
  existsSync(join(own.home, 'ran')) ? readFileSync(join(own.home, 'ran'), 'utf8') : ''

/** The key that accepts a line empties it first. */
const emptied: Readonly<Record<ShellName, string>> = {
  bash: String.raw`bind '"\e\C-^2": "\C-u\C-m"'`,
  zsh: String.raw`none() { BUFFER=; zle .accept-line }; zle -N none; bindkey '\e^^2' none`,
  fish: String.raw`bind \e\x1e2 'set -g __tandem_state accepted; commandline -r ""; commandline -f execute'`,
}

const everybody = [{ by: 'model' }, { by: 'person' }, { by: 'person', private: true }] as const

// Each has a shell of its own, and waits for most of its time until that is late.
describe.concurrent.each(ShellName.options)('%s', (shell) => {
  test.for(everybody)(
    '[TERM160] a shell that completes a word is waited for; the command runs once, and the line is kept: %j',
    async (whose, context) => {
      const own = await ownShell(shell, context)
      own.type('kubectl get \t')
      const { end, seen } = await runLate(own, whose)
      await own.open('slow')
      expect(await end).toMatchObject({ outcome: 'ended', exitCode: 0 })
      expect(text((await end).output)).toBe('out\n')
      expect(seen).toEqual(['shell', 'running'])
      expect(ran(own)).toBe('once\n')
      expect(await own.line()).toEqual({ text: 'kubectl get ', cursor: 12 })
    },
  )

  test.for(everybody)(
    '[TERM160] a shell that is stopped is waited for; the command runs once, and nothing stands in the line: %j',
    async (whose, context) => {
      const own = await ownShell(shell, context)
      process.kill(own.pid, 'SIGSTOP')
      const { end } = await runLate(own, whose)
      process.kill(own.pid, 'SIGCONT')
      expect(await end).toMatchObject({ outcome: 'ended', exitCode: 0 })
      expect(await own.line()).toEqual({ text: '', cursor: 0 })
      own.type('\r')
      expect(await own.output('echo next')).toBe('next\n')
      expect(await own.line()).toEqual({ text: '', cursor: 0 })
      expect(ran(own)).toBe('once\n')
    },
  )

  test.for(everybody)(
    '[TERM160] a command that waits for the shell can be stopped, and is never run: %j',
    async (whose, context) => {
      const own = await ownShell(shell, context)
      own.type('echo half')
      expect(await own.line()).toEqual({ text: 'echo half', cursor: 9 })
      process.kill(own.pid, 'SIGSTOP')
      const { end, stop } = await runLate(own, whose)
      stop.abort()
      expect(await end).toMatchObject({ outcome: 'not_started', exitCode: null })
      process.kill(own.pid, 'SIGCONT')
      expect(await own.line()).toEqual({ text: 'echo half', cursor: 9 })
      expect(await own.output('echo next')).toBe('next\n')
      expect(await own.line()).toEqual({ text: 'echo half', cursor: 9 })
      const list = { bash: 'history', zsh: 'fc -l 1', fish: 'history' }[shell]
      expect(await own.output(list)).not.toContain('once')
      expect(ran(own)).toBe('')
    },
  )

  test.for(everybody)(
    '[TERM160] a command that is loaded twice runs once, and the line is kept: %j',
    async (whose, context) => {
      const own = await ownShell(shell, context)
      own.type('echo hälf\x1b[D')
      expect(await own.line()).toEqual({ text: 'echo hälf', cursor: 8 })
      process.kill(own.pid, 'SIGSTOP')
      // The key that a command is loaded with, as if an earlier one were still unread.
      own.type('\x1b\x1e1')
      const { end } = await runLate(own, whose)
      process.kill(own.pid, 'SIGCONT')
      expect(await end).toMatchObject({ outcome: 'ended', exitCode: 0 })
      expect(await own.line()).toEqual({ text: 'echo hälf', cursor: 8 })
      expect(ran(own)).toBe('once\n')
    },
  )

  test('[TERM160] a program that a person started before it gets their keys, and a command that was allowed before is told at once', async (context) => {
    const own = await ownShell(shell, context)
    expect(await own.output('echo before')).toBe('before\n')
    const stamp = own.terminal.stamp() ?? 0
    process.kill(own.pid, 'SIGSTOP')
    own.type('cat >got; : >~/gate\r')
    const model = await runLate(own, { by: 'model', stamp })
    process.kill(own.pid, 'SIGCONT')
    expect(await model.end).toMatchObject({ outcome: 'not_started' })
    own.type('hello\r\x04')
    await readFile(join(own.home, 'gate'))
    expect(await own.line()).toEqual({ text: '', cursor: 0 })
    expect(readFileSync(join(own.home, 'got'), 'utf8')).toMatch(/hello\n$/)
    expect(ran(own)).toBe('')
  })

  test('[TERM160] a line that the shell did not begin with has no code: it was not run', async (context) => {
    const own = await ownShell(shell, context)
    expect(await own.output('echo before')).toBe('before\n')
    await own.run(emptied[shell])
    const end = await own.run('echo once >>ran')
    expect(end).toMatchObject({ outcome: 'not_started', exitCode: null })
    expect(await own.run('# a comment')).toMatchObject({ outcome: 'ended', exitCode: 0 })
    expect(ran(own)).toBe('')
  })

  test.for(['plain', 'semi;colon', 'new\nline', 'ünï漢'])(
    '[TERM160] a shell that has taken a command says which attempt it was, and where it is: %j',
    async (name, context) => {
      const own = await ownShell(shell, context)
      mkdirSync(join(own.home, name))
      await own.run(`cd ${join(own.home, name.slice(0, 2))}*`)
      await own.terminal.detach()
      const marks = await loadsOf(own.folder, ['sh-1', 'sh-2'])
      await own.terminal.attach(1)
      expect(marks).toMatchObject([
        { id: 'sh-1', cwd: join(own.home, name) },
        { id: 'sh-2', cwd: join(own.home, name) },
      ])
      const [first, second] = marks.map((mark) => mark.attempt)
      expect(second).toBeGreaterThan(first ?? 0)
    },
  )

  test('[TERM160] an interrupt takes back a command that waits for the shell, and leaves the line alone', async (context) => {
    const own = await ownShell(shell, context)
    own.type('kubectl get \t')
    const { end } = await runLate(own)
    await own.terminal.interrupt('int')
    expect(await end).toMatchObject({ outcome: 'not_started', exitCode: null })
    await own.open('slow')
    expect(await own.line()).toEqual({ text: 'kubectl get ', cursor: 12 })
    expect(ran(own)).toBe('')
  })
})
