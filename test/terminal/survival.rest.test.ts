import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTerminal } from '../../src/server/terminal/create-terminal.ts'
import type { ShellEnd } from '../../src/server/terminal/terminal.ts'
import { bundleDoomedServer } from './support/holder-bundle.ts'
import { isAlive, makeTerminal, runOf, startShell, text } from './support/temp-shell.ts'

/** Starts a run in a server process and kills that server without warning once `until` was printed. */
async function killServerDuring(command: string, until: string, group = false) {
  const made = await makeTerminal()
  onTestFinished(made.close)
  const run = { id: `sh-${randomUUID()}`, command, by: 'model' as const, timeoutMs: 0 }
  const { onShellEnd: _, ...options } = made.terminalOptions
  const child = spawn(
    process.execPath,
    [await bundleDoomedServer(), JSON.stringify({ options, run, cwd: made.home })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: group,
    },
  )
  let seen = ''
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (bytes) => {
      seen += String(bytes)
      if (seen.includes(until)) resolve()
    })
    child.on('exit', () => resolve())
  })
  const gone = new Promise((resolve) => child.on('exit', resolve))
  if (group && child.pid !== undefined) {
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const)
      process.kill(-child.pid, signal)
  } else child.kill('SIGKILL')
  await gone
  return { ...made, run, seen }
}

const numbers = 'for ((i = 1; i <= 30000; i++)); do echo "n$i"; done; (exit 42)'
const allNumbers = Array.from({ length: 30_000 }, (_, n) => `n${n + 1}\n`).join('')

test.each(['started\n', 'n1\r\n', 'n777\r\n', 'n20000\r\n', 'ended\n'])(
  '[TERM80] a run survives its server killed after %j: no gap, no repeat, the right end',
  async (until) => {
    const { terminal, run, home } = await killServerDuring(numbers, until)
    expect(await terminal.attach(1)).toMatchObject({ generation: 1, integration: 'full' })
    let live = ''
    const { watch } = runOf('', { onOutput: (more) => (live += more) })
    const end = await terminal.resume(run, watch)
    if (until === 'started\n' && end.outcome === 'not_started') return
    expect(end).toMatchObject({ outcome: 'ended', exitCode: 42, cwdAfter: home, omitted: 0 })
    expect(text(end.output) === allNumbers).toBe(true)
    expect(live.replaceAll('\r\n', '\n') === allNumbers).toBe(true)
    const { bytes } = await terminal.readOutput({ from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 })
    expect(String(bytes).replaceAll('\r\n', '\n') === allNumbers).toBe(true)
    terminal.settle(run.id)
    const next = runOf('echo next')
    expect(text((await terminal.run(next.run, next.watch)).output)).toBe('next\n')
  },
)

test('[TERM80] a run that ended its shell while no server was there is reported with its output', async () => {
  const made = await killServerDuring('echo on; sleep 0.3; seq 1 1000; exit 7', 'on')
  await until(() => holderSaysExited(made.folder))
  expect(await made.terminal.attach(1)).not.toBeNull()
  const end = await made.terminal.resume(made.run, runOf('').watch)
  expect(end).toMatchObject({ outcome: 'shell_exited', exitCode: 7 })
  expect(text(end.output)).toMatch(/^on\n1\n2\n[^]*\n1000\nexit\n$/)
  expect(await made.shellEnd).toMatchObject({ reason: 'exited', exitCode: 7 })
})

test('[TERM80] a dead shell found without a run to resume is reported', async () => {
  const made = await killServerDuring('echo on; sleep 0.2; exit 7', 'on')
  await until(() => holderSaysExited(made.folder))
  expect(await made.terminal.attach(1)).not.toBeNull()
  expect(await made.shellEnd).toMatchObject({ reason: 'exited', exitCode: 7 })
})

test('[TERM80] a run whose command never reached the shell is not started, and never run', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  await own.terminal.detach()
  expect(await own.terminal.attach(1)).toMatchObject({ pid: own.info.pid })
  const { run, watch } = runOf('echo never')
  expect(await own.terminal.resume(run, watch)).toMatchObject({ outcome: 'not_started' })
  expect(text((await own.run('echo ok')).output)).toBe('ok\n')
})

test("[TERM84] a holder survives signals to its server's process group", async () => {
  const { terminal, run } = await killServerDuring('echo on; sleep 0.5; echo done', 'on', true)
  expect(await terminal.attach(1)).not.toBeNull()
  expect(text((await terminal.resume(run, runOf('').watch)).output)).toBe('on\ndone\n')
})

test('[TERM84] a shell lives on while nobody is attached, and a settled run is forgotten', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  const { run, watch } = runOf('cd /tmp; kept=1')
  await own.terminal.run(run, watch)
  own.terminal.settle(run.id)
  await own.terminal.detach()
  expect(isAlive(own.info.pid)).toBe(true)
  const info = await own.terminal.attach(1)
  // Only a new shell says where its part of the log begins.
  expect(info).toEqual({ ...own.info, ptyFrom: undefined, cwd: '/tmp' })
  expect(await own.terminal.resume(run, watch)).toMatchObject({ outcome: 'not_started' })
  expect(text((await own.run('echo $kept')).output)).toBe('1\n')
})

test('[TERM84] another generation, or a recycled pid, is not attached to', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  await own.terminal.detach()
  expect(await own.terminal.attach(2)).toBeNull()
  const path = join(own.folder, 'holder.json')
  const file = readFileSync(path, 'utf8')
  writeFileSync(path, file.replace(/"startTime":"\d+"/, '"startTime":"1"'))
  expect(await own.terminal.attach(1)).toBeNull()
  writeFileSync(path, file)
  expect(await own.terminal.attach(1)).not.toBeNull()
})

function holderOf(folder: string): number {
  const { pid } = JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')) as { pid: number }
  return pid
}

test('[TERM87] a holder that dies makes its run lost and its shell end lost', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  const pid = holderOf(own.folder)
  let on: () => void = () => {}
  const printed = new Promise<void>((resolve) => {
    on = resolve
  })
  const end = own.run('echo on; sleep 1000', { onOutput: () => on() })
  await printed
  process.kill(pid, 'SIGKILL')
  expect(await end).toMatchObject({ outcome: 'lost' })
  expect(await own.shellEnd).toMatchObject({ reason: 'lost' })
  expect(await own.terminal.start({ generation: 2, cwd: own.home })).toMatchObject({ ok: true })
})

test('[TERM87] a run whose holder was killed ends with what it had printed, and where that stands', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  let seen = ''
  let on: () => void = () => {}
  const printed = new Promise<void>((resolve) => {
    on = resolve
  })
  const end = own.run('seq 1 500; sleep 1000', {
    onOutput(piece) {
      seen += piece
      if (seen.includes('500\r\n')) on()
    },
  })
  await printed
  // The log is at most a moment behind; asked for, it has all.
  await own.terminal.readOutput({ from: 0, to: 1 })
  process.kill(holderOf(own.folder), 'SIGKILL')
  const lines = Array.from({ length: 500 }, (_, n) => `${n + 1}\r\n`).join('')
  const { outcome, bytes, omitted, ptyFrom, ptyTo, output } = await end
  expect({ outcome, bytes, omitted }).toEqual({ outcome: 'lost', bytes: lines.length, omitted: 0 })
  expect(text(output)).toBe(lines.replaceAll('\r', ''))
  const kept = await own.terminal.readOutput({ from: ptyFrom ?? 0, to: ptyTo ?? 0 })
  expect(String(kept.bytes)).toBe(lines)
  expect(await own.shellEnd).toMatchObject({ reason: 'lost' })
})

test('[TERM84] a session folder with a very long path works, its socket elsewhere', async () => {
  const made = await makeTerminal()
  const folder = join(made.root, 'x'.repeat(120), 'y'.repeat(60))
  const ends: ShellEnd[] = []
  const terminal = createTerminal({
    ...made.terminalOptions,
    folder,
    onShellEnd: (end) => ends.push(end),
  })
  onTestFinished(async () => {
    await terminal.close()
    await made.close()
  })
  expect(await terminal.start({ generation: 1, cwd: made.home })).toMatchObject({ ok: true })
  const { run, watch } = runOf('echo far')
  expect(text((await terminal.run(run, watch)).output)).toBe('far\n')
  await terminal.detach()
  expect(await terminal.attach(1)).not.toBeNull()
})

/** Asks the holder itself, as a server would, without being one. */
async function holderSaysExited(folder: string): Promise<boolean> {
  const { socket } = JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')) as {
    socket: string
  }
  return new Promise((resolve) => {
    const link = connect(socket, () => {})
    link.on('data', (bytes) => {
      link.destroy()
      resolve(/"exit":\{/.test(String(bytes)))
    })
    link.on('error', () => resolve(false))
  })
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}
