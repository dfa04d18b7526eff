import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive, openPlace, pidsIn, type TempPlace } from './support/one-shot.ts'

let place: TempPlace
beforeAll(() => {
  place = openPlace()
})
afterAll(() => place.remove())

const stubborn = `trap '' TERM INT HUP; echo "stubborn $BASHPID"; while :; do read -t 100 <> <(:); done`

test('[ONE20] at its time limit a command is reported once and its whole group ended, by force at last', async () => {
  const timeouts: string[] = []
  const run = place.start(`echo "shell $$"; (${stubborn}) & (${stubborn}) & wait`, {
    timeoutMs: 2_000,
    onTimeout: (output) => timeouts.push(output.head),
  })
  const text = await run.printed(/(stubborn \d+\s+){2}/)
  const end = await run.end
  expect(end).toMatchObject({ outcome: 'ended', exitCode: null, signal: 'SIGTERM', notEnded: [] })
  expect(timeouts).toEqual([text])
  expect(pidsIn(text)).toHaveLength(3)
  expect(pidsIn(text).filter(isAlive)).toEqual([])
  expect(run.statuses).toEqual(['running', 'stopping', 'killing'])
})

test('[ONE20] an aborted command is ended within its grace, with what it had printed', async () => {
  const run = place.start('echo "shell $$"; sleep 1000 & echo "child $!"; wait')
  const text = await run.printed(/child/)
  run.stop()
  const end = await run.end
  expect(end).toMatchObject({ outcome: 'ended', signal: 'SIGTERM' })
  expect(end.output.head).toBe(text)
  expect(pidsIn(text).filter(isAlive)).toEqual([])
  expect(run.statuses).toEqual(['running', 'stopping'])
})

test('[ONE20] one aborted before it begins is not started, and the reason is told', async () => {
  const end = await place.run('echo ran', { signal: AbortSignal.abort('the server was stopped') })
  expect(end).toMatchObject({ outcome: 'not_started', exitCode: null })
  expect(end.output.head).toBe('The command was not run: the server was stopped.')
})

test('[ONE20] setsid, nohup, a double fork and another group leave nothing behind', async () => {
  const ways = [
    'setsid sleep 1000 & echo "child $!"',
    'setsid -f sh -c \'echo "child $$"; exec sleep 1000\'',
    'nohup sleep 1000 >/dev/null 2>&1 & echo "child $!"',
    '(setsid sh -c \'sleep 1000 >/dev/null 2>&1 & echo "child $!"\' &)',
    'set -m; sleep 1000 >/dev/null 2>&1 & echo "child $!"; disown',
    '(trap "" HUP TERM; setsid bash -c \'trap "" TERM; echo "child $$"; sleep 1000; :\' &)',
    'sleep 1000 >/dev/null 2>&1 & kill -STOP $!; echo "child $!"',
  ]
  const ends = await Promise.all(
    ways.map(async (way) => {
      const run = place.start(`${way}; sleep 0.1`)
      const text = await run.printed(/^child \d+$/m)
      return { end: await run.end, pids: pidsIn(text) }
    }),
  )
  for (const { end, pids } of ends) {
    expect(end).toMatchObject({ outcome: 'ended', exitCode: 0, notEnded: [] })
    expect(end.output.head).toContain('[what it left running in the background was ended]')
    expect(pids).toHaveLength(1)
    expect(pids.filter(isAlive)).toEqual([])
  }
})

test('[ONE20] at a time limit even those that left the group and the session are ended', async () => {
  const run = place.start(
    `setsid -f bash -c '${stubborn.replaceAll("'", String.raw`'\''`)}'; env -i setsid sleep 1000 & echo "child $!"; wait; sleep 1000`,
    { timeoutMs: 2_000 },
  )
  const text = await run.printed(/stubborn[^]*child|child[^]*stubborn/)
  const end = await run.end
  expect(end).toMatchObject({ outcome: 'ended', notEnded: [] })
  expect(pidsIn(text)).toHaveLength(2)
  expect(pidsIn(text).filter(isAlive)).toEqual([])
})

test('[ONE20] a child that holds the pipes does not hold up the end, nor cost what was printed before', async () => {
  const run = place.start(
    'sleep 1000 & echo "child $!"; head -c 300000 /dev/zero | tr "\\0" x; exit 3',
  )
  const end = await run.end
  expect(end).toMatchObject({ outcome: 'ended', exitCode: 3, notEnded: [] })
  expect(end.durationMs).toBeLessThan(5_000)
  const printed = readFileSync(join(run.outFolder, 'stdout'), 'utf8')
  expect(printed).toBe(`${printed.split('\n')[0]}\n${'x'.repeat(300_000)}`)
  expect(pidsIn(printed).filter(isAlive)).toEqual([])
})

test('[ONE20] a child that ends by itself a moment later is waited for, and said nothing about', async () => {
  const end = await place.run('(while kill -0 $$ 2>/dev/null; do :; done; echo late) & echo early')
  expect(end.output.head).toBe('early\nlate\n')
})

test('[ONE20] a hundred commands that leave something leave no process and no descriptor', async () => {
  await place.run('true')
  const before = descriptors()
  const pids: number[] = []
  for (let round = 0; round < 5; round++) {
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        place.run(n % 2 === 0 ? 'true' : 'setsid sleep 1000 >/dev/null 2>&1 & echo "child $!"'),
      ),
    )
    pids.push(...ends.flatMap((end) => pidsIn(end.output.head)))
  }
  expect(pids).toHaveLength(50)
  expect(pids.filter(isAlive)).toEqual([])
  expect(descriptors() - before).toBeLessThanOrEqual(0)
})

/** A look at the folder is a descriptor too, the same one each time. */
function descriptors(): number {
  return readdirSync('/proc/self/fd').length
}
