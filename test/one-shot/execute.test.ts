import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootId } from '../../src/server/one-shot/process-table.ts'
import { kept, openPlace, type TempPlace } from './support/one-shot.ts'

let place: TempPlace
beforeAll(() => {
  place = openPlace()
})
afterAll(() => place.remove())

test('[ONE1] stdout and stderr are kept apart, counted apart, and told apart', async () => {
  const run = place.start('echo one; echo two >&2; printf three')
  const end = await run.end
  expect(end).toMatchObject({
    outcome: 'ended',
    exitCode: 0,
    signal: null,
    bytes: 13,
    omitted: 0,
    stdout: { bytes: 9, omitted: 0 },
    stderr: { bytes: 4, omitted: 0 },
    output: { head: 'one\nthree\n[stderr]\ntwo\n', tail: '', omittedChars: 0 },
    notEnded: [],
  })
  expect(kept(run.outFolder, 'stdout')).toBe('one\nthree')
  expect(kept(run.outFolder, 'stderr')).toBe('two\n')
  for (const file of ['stdout', 'stderr'])
    expect(statSync(join(run.outFolder, file)).mode & 0o777).toBe(0o600)
  expect(statSync(run.outFolder).mode & 0o777).toBe(0o700)
})

test('[ONE1] every exit code and every signal comes back as it was', async () => {
  const codes = [0, 1, 2, 7, 42, 126, 127, 128, 130, 143, 200, 255]
  const ends = await Promise.all(codes.map((code) => place.run(`exit ${code}`)))
  expect(ends.map(({ exitCode, signal }) => [exitCode, signal])).toEqual(
    codes.map((code) => [code, null]),
  )
  const signals = ['TERM', 'KILL', 'INT', 'HUP', 'SEGV', 'PIPE']
  const killed = await Promise.all(signals.map((name) => place.run(`kill -${name} $$`)))
  expect(killed.map(({ outcome, exitCode, signal }) => [outcome, exitCode, signal])).toEqual(
    signals.map((name) => ['ended', null, `SIG${name}`]),
  )
})

test('[ONE3] a command leads a session and a group of its own, without a terminal or input', async () => {
  const { output } = await place.run(
    'cat; echo $$; cut -d" " -f5-7 /proc/$$/stat; tty; echo "$TERM"; readlink /proc/self/fd/0; exec 3</dev/tty',
  )
  const [pid, ids, tty, term, input, ...errors] = output.head.trimEnd().split('\n')
  // Its group, its session, and no terminal.
  expect(ids).toBe(`${pid} ${pid} 0`)
  expect([tty, term, input]).toEqual(['not a tty', 'dumb', '/dev/null'])
  expect(errors.join('\n')).toMatch(/^\[stderr\]\n.*No such device/)
})

test('[ONE3] a command gets the environment and the folder it was given, and leaves no core file', async () => {
  const cwd = join(place.folder, 'a folder – with a name')
  mkdirSync(cwd)
  const env = { PATH: process.env['PATH'] ?? '', GREETING: 'hello  "you"\nthere', TERM: 'xterm' }
  const run = place.start('pwd; echo "$GREETING"; echo "$HOME-"; echo "$TANDEM_RUN"; ulimit -c', {
    cwd,
    env,
  })
  const { output } = await run.end
  expect(output.head).toBe(`${cwd}\nhello  "you"\nthere\n-\n${run.id}\n0\n`)
})

test('[ONE3] a folder or a shell that will not do is a sentence, and nothing is started', async () => {
  const file = join(place.folder, 'file')
  writeFileSync(file, '')
  const closed = join(place.folder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0)
  const why = async (options: Parameters<TempPlace['run']>[1]) => {
    const end = await place.run(`echo ran >> ${place.folder}/ran`, options)
    expect(end).toMatchObject({ outcome: 'not_started', exitCode: null, bytes: 0, durationMs: 0 })
    return end.output.head
  }
  const gone = join(place.folder, 'gone')
  expect(await why({ cwd: gone })).toContain(`the folder ${gone} does not exist`)
  expect(await why({ cwd: file })).toContain(`${file} is not a folder`)
  expect(await why({ cwd: join(file, 'x') })).toContain('is not a folder')
  expect(await why({ cwd: 'relative' })).toContain('not an absolute path')
  expect(await why({ shell: 'no-such-shell' })).toContain('there is no shell "no-such-shell"')
  expect(await why({ shell: file })).toContain('there is no shell')
  // Root enters every folder.
  if (process.getuid?.() !== 0) expect(await why({ cwd: closed })).toContain('may not be entered')
  expect((await place.run('cat ran')).exitCode).toBe(1)
})

test('[ONE3] a command of 250 KB runs, and one with a NUL does not', async () => {
  const word = 'x'.repeat(250_000)
  const end = await place.run(`v='${word}'; echo \${#v}`)
  expect(end.output.head).toBe('250000\n')
  expect(await place.run('echo a\0b')).toMatchObject({ outcome: 'not_started' })
})

test('[ONE3] a command that begins with a dash is no option of the shell’s', async () => {
  const end = await place.run('--version')
  expect(end).toMatchObject({ outcome: 'ended', exitCode: 127 })
  expect(end.output.head).toMatch(/--version: command not found/)
  const folder = join(place.folder, 'dash')
  mkdirSync(folder)
  writeFileSync(join(folder, '-x'), 'echo mine\n', { mode: 0o755 })
  const own = place.start('-x', { env: { PATH: `${folder}:/usr/bin:/bin` } })
  expect((await own.end).output.head).toBe('mine\n')
})

test('[ONE1] bytes that are no text are kept as they are, and characters cut by a read are whole', async () => {
  const seen: string[] = []
  const command = String.raw`printf '\xc3'; printf '\xa9 \xff\xfe \xf0\x9f'; printf '\x99\x82'; printf '\xe2\x82' >&2`
  const run = place.start(command, { onOutput: (text) => seen.push(text) })
  const end = await run.end
  expect(end.stdout.bytes + end.stderr.bytes).toBe(12)
  expect(end.output.head).toBe('é \ufffd\ufffd 🙂\n[stderr]\n\ufffd')
  expect(seen.join('')).not.toContain('Ã')
  expect([...Buffer.from(kept(run.outFolder, 'stdout'))].length).toBeGreaterThan(9)
})

test('[ONE3] a duration does not depend on the clock, and a command that ended has no run file', async () => {
  const before = performance.now()
  const run = place.start('true')
  const end = await run.end
  expect(end.durationMs).toBeGreaterThanOrEqual(0)
  expect(end.durationMs).toBeLessThanOrEqual(performance.now() - before + 1)
  expect(() => statSync(join(run.outFolder, 'process.json'))).toThrow(/ENOENT/)
  expect(bootId()).toMatch(/^[0-9a-f-]{36}$/)
})
