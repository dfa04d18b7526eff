import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  createFrameReader,
  decodeOffset,
  encodeFrame,
  encodeOffsets,
  frameKind,
} from '../../src/protocol/holder/frames.ts'
import { findHolder } from '../../src/server/terminal/holder/start-holder.ts'
import {
  isAlive,
  makeTerminal,
  runOf,
  sessionOf,
  startShell,
  text,
  type TempOptions,
} from './support/temp-shell.ts'

async function ownShell(options: TempOptions = {}) {
  const own = await startShell(options)
  onTestFinished(() => own.close())
  return own
}

test.each([
  ['exit 3', { exitCode: 3, signal: null }, 'exited'],
  ['echo bye; exec true', { exitCode: 0, signal: null }, 'exited'],
  ['kill -9 $$', { exitCode: null, signal: 'SIGKILL' }, 'killed'],
  ['set -e; false', { exitCode: 1, signal: null }, 'exited'],
])(
  '[TERM20] a run that ends its shell says so, keeps its output, and the shell end follows: %s',
  async (command, how, reason) => {
    const own = await ownShell()
    const order: string[] = []
    const run = own.run(`echo before\n${command}`).then((end) => {
      order.push('run')
      return end
    })
    void own.shellEnd.then(() => order.push('shell'))
    const end = await run
    expect(end).toMatchObject({ outcome: 'shell_exited', ...how, cwdAfter: null })
    expect(text(end.output)).toMatch(/^before\n/)
    expect(await own.shellEnd).toEqual({ generation: 1, reason, ...how })
    expect(order).toEqual(['run', 'shell'])
    expect((await own.run('echo x')).outcome).toBe('not_started')
  },
)

test('[TERM20] output of 1 MB printed just before the shell exits is complete', async () => {
  for (let round = 0; round < 10; round += 1) {
    const own = await startShell()
    const end = await own.run('seq 1 150000; exit 0')
    const expected = Array.from({ length: 150_000 }, (_, n) => `${n + 1}\r\n`).join('')
    const { bytes } = await own.terminal.readOutput({ from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 })
    expect(String(bytes).replace(/exit\r\n$/, '') === expected).toBe(true)
    await own.close()
  }
})

test('[TERM91] offsets continue over a new shell, and old output can still be read', async () => {
  const own = await ownShell()
  const first = await own.run('echo first; exit 0')
  await own.shellEnd
  const again = await own.terminal.start({ generation: 2, cwd: own.home })
  expect(again).toMatchObject({
    ok: true,
    value: { generation: 2, cwd: own.home, integration: 'full' },
  })
  const second = await own.run('echo second')
  expect(second.ptyFrom).toBeGreaterThanOrEqual(first.ptyTo ?? Infinity)
  const read = async (end: typeof first) =>
    String((await own.terminal.readOutput({ from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 })).bytes)
  expect(await read(first)).toMatch(/^first\r\n/)
  expect(await read(second)).toBe('second\r\n')
})

test('[TERM23] closing ends the shell, its jobs and the holder, and leaves nothing behind', async () => {
  const own = await startShell()
  await own.run(
    'sleep 1000 & (trap "" HUP TERM; sleep 1001) & disown -a; nohup sleep 1002 >/dev/null 2>&1 &',
  )
  const members = sessionOf(own.info.pid)
  expect(members.length).toBeGreaterThanOrEqual(4)
  const { pid } = JSON.parse(readFileSync(join(own.folder, 'holder.json'), 'utf8')) as {
    pid: number
  }
  await own.terminal.close()
  expect(sessionOf(own.info.pid)).toEqual([])
  expect(existsSync(join(own.folder, 'holder.json'))).toBe(false)
  expect(existsSync(join(own.folder, 'holder.sock'))).toBe(false)
  await until(() => !isAlive(pid))
  expect(own.ends).toMatchObject([{ generation: 1, reason: 'closed' }])
  await own.close()
})

test('[TERM23] closing while a run goes on ends the run too', async () => {
  const own = await ownShell()
  const { promise, resolve } = deferred()
  const end = own.run('echo on; sleep 1000', { onOutput: () => resolve() })
  await promise
  await own.terminal.close()
  expect(await end).toMatchObject({ outcome: 'shell_exited' })
})

test('[TERM25] what the session keeps on disk is for its owner only, and never what was typed', async () => {
  const own = await ownShell()
  const { promise, resolve } = deferred()
  void own.run('echo on; read -rs secret; echo "got ${#secret}"', { onOutput: resolve })
  await promise
  await own.terminal.detach()
  await typeInto(own.folder, 'hunter2\r', 'got 7')
  const log = join(own.folder, 'pty')
  const files = [own.folder, log].flatMap((at) => readdirSync(at).map((name) => join(at, name)))
  for (const file of files) {
    const stat = statSync(file)
    expect([file, stat.mode & 0o077]).toEqual([file, 0])
    if (stat.isFile()) expect(readFileSync(file, 'latin1')).not.toContain('hunter2')
  }
  expect(statSync(own.folder).mode & 0o777).toBe(0o700)
})

/** Types as a server would, and waits until the terminal printed `until`. */
function typeInto(folder: string, keys: string, until: string): Promise<void> {
  const { socket } = JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')) as {
    socket: string
  }
  return new Promise((resolve) => {
    const link = connect(socket)
    let seen = ''
    link.write(encodeFrame(frameKind.input, Buffer.from(keys)))
    link.on('data', (bytes) => {
      seen += String(bytes)
      if (seen.includes(until)) link.end(resolve)
    })
  })
}

test('[TERM25] neither environment, argv nor files of the shell show the nonce after start', async () => {
  const own = await ownShell()
  const spelled = `echo "$__tandem_nonce" | sed 's/./&./g'; ls "$__tandem_folder"`
  const said = text((await own.run(spelled)).output)
  expect(said).toMatch(/^([0-9a-f]\.){24}\ncommand\n$/)
  const secret = said.slice(0, 48).replaceAll('.', '')
  for (const name of ['environ', 'cmdline']) {
    expect(readFileSync(`/proc/${own.info.pid}/${name}`, 'latin1')).not.toContain(secret)
  }
})

test.each([
  [{ shell: '/no/such/bash' }, /^Cannot start the shell "\/no\/such\/bash"/],
  [{ shell: 'ksh' }, /only bash, zsh and fish are supported/],
  [{ bashrc: 'exit 4' }, /ended before its first prompt/],
])(
  '[TERM27] a shell that cannot start is a clear sentence, and nothing stays behind: %j',
  async (options, sentence) => {
    const made = await makeTerminal(options)
    onTestFinished(made.close)
    const started = await made.terminal.start({ generation: 1, cwd: made.home })
    expect(started.ok ? '' : started.error).toMatch(sentence)
    expect(existsSync(join(made.folder, 'holder.json'))).toBe(false)
  },
)

test('[TERM28] a start file that hangs is told of after 10 s, by what it waits for, and the shell is not ended', async () => {
  const made = await makeTerminal({ bashrc: 'sleep 1000' })
  onTestFinished(made.close)
  const started = await made.terminal.start({ generation: 1, cwd: made.home })
  expect(started).toMatchObject({ ok: true, value: { integration: 'none' } })
  expect(started.ok ? started.value.notice : '').toMatch(/within 10 seconds: sleep runs in front/)
  expect(made.ends).toEqual([])
})

test('[TERM27] a shell whose folder is gone starts in the nearest one above and says so', async () => {
  const own = await ownShell()
  await own.terminal.close()
  const cwd = join(own.home, 'gone', 'deeper')
  const started = await own.terminal.start({ generation: 2, cwd })
  expect(started).toMatchObject({ ok: true, value: { cwd: own.home } })
  expect(started.ok ? started.value.notice : '').toContain(cwd)
})

test('[TERM27] without a shell a run is not started, and one to resume is lost', async () => {
  const made = await makeTerminal()
  onTestFinished(made.close)
  const { run, watch } = runOf('echo x')
  expect(await made.terminal.run(run, watch)).toMatchObject({ outcome: 'not_started' })
  expect(await made.terminal.resume(run, watch)).toMatchObject({ outcome: 'lost' })
  expect(await made.terminal.attach(1)).toBeNull()
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

function deferred() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

test('[TERM23] a shell that is ended while it starts is ended, and no holder is left', async () => {
  const { terminal, terminalOptions, home, close } = await makeTerminal()
  onTestFinished(close)
  const starting = terminal.start({ generation: 1, cwd: home })
  await terminal.close()
  expect(await starting).toEqual({ ok: false, error: 'The shell was ended while it started.' })
  expect(findHolder(terminalOptions.folder)).toBeNull()
  expect(await terminal.start({ generation: 2, cwd: home })).toMatchObject({ ok: true })
})

/** Not a child of the shell any more, and it does not mind that the terminal goes. */
const orphan = '(trap "" HUP; sleep 1000 &)'

/** Ends a holder as a server would that gives this answer when it is asked who lives. */
function endHolder(folder: string, answer: readonly number[] | null): Promise<number[]> {
  const { socket } = JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')) as {
    socket: string
  }
  return new Promise((resolve) => {
    const asked: number[] = []
    const link = connect(socket)
    const read = createFrameReader((kind, payload) => {
      if (kind !== frameKind.who) return
      asked.push(decodeOffset(payload))
      if (answer !== null) link.write(encodeFrame(frameKind.living, encodeOffsets(answer)))
    })
    link.on('data', read)
    link.on('close', () => resolve(asked))
    link.write(encodeFrame(frameKind.end, new Uint8Array()))
  })
}

test('[HOST27] a holder that ends has its server look who is left, and does not look itself', async () => {
  const own = await ownShell()
  await own.run(orphan)
  const left = sessionOf(own.info.pid).filter((pid) => pid !== own.info.pid)
  expect(left).toHaveLength(1)
  onTestFinished(() => left.forEach((pid) => process.kill(pid, 'SIGKILL')))
  await own.terminal.detach()
  // Asked once, for the answer is taken as it is: what really is there was not looked at.
  expect(await endHolder(own.folder, [])).toEqual([own.info.pid])
  expect(sessionOf(own.info.pid)).toEqual(left)
})

test('[HOST27] a holder whose server does not say who is left looks itself', async () => {
  const own = await ownShell()
  await own.run(orphan)
  await own.terminal.detach()
  expect(await endHolder(own.folder, null)).toEqual([own.info.pid])
  expect(sessionOf(own.info.pid)).toEqual([])
})

test('[HOST27] what the server says is left is ended', async () => {
  const own = await ownShell()
  await own.run(orphan)
  expect(sessionOf(own.info.pid)).toHaveLength(2)
  await own.terminal.close()
  expect(sessionOf(own.info.pid)).toEqual([])
})
