import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSpool, readSpool, spoolCaps } from '../../src/server/one-shot/spool.ts'
import { makeRoom } from '../../src/server/one-shot/one-shots.ts'
import { openPlace } from './support/one-shot.ts'

test('[ONE50] whatever comes in whatever parts, head and tail are kept exactly and the rest is counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-spool-'))
  const cap = fc.integer({ min: 1, max: 20 })
  let n = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({ head: cap, tail: cap }),
      fc.array(fc.uint8Array({ maxLength: 30 })),
      fc.tuple(fc.nat(120), fc.nat(120)),
      async (caps, parts, [from, length]) => {
        const path = join(folder, String(n++))
        const spool = await openSpool(path, caps)
        for (const part of parts) await spool.write(Buffer.from(part))
        const all = Buffer.concat(parts)
        const { head, tail } = caps
        const isCut = all.length > head + tail
        const ref = await spool.end()
        expect(ref).toEqual({
          bytes: all.length,
          omitted: isCut ? all.length - head - tail : 0,
        })
        expect(statSync(path).size).toBeLessThanOrEqual(head + tail)
        const to = Math.min(from + length, all.length)
        const expected = [...all.entries()]
          .filter(([at]) => at >= from && at < to)
          .filter(([at]) => at < head || at >= all.length - tail)
          .map(([, byte]) => byte)
        const read = await readSpool(path, { from, to, total: all.length }, caps)
        expect([...read]).toEqual(expected)
      },
    ),
  )
  rmSync(folder, { recursive: true, force: true })
})

test('[ONE50] 300 MB of output stay within bounded memory and disk, and are counted exactly', async () => {
  const place = openPlace()
  const line = '0123456789abcde\n'
  const bytes = line.length * 18_750_000
  const flood = (onOutput: (text: string) => void) =>
    place.start(`yes ${line.trim()} | head -c ${bytes}; yes error | head -c 1000000 >&2`, {
      onOutput,
    })
  const before = process.memoryUsage().rss
  let peak = before
  let seen = 0
  const run = flood((text) => {
    seen += text.length
    peak = Math.max(peak, process.memoryUsage().rss)
  })
  const end = await run.end
  const kept = spoolCaps.head + spoolCaps.tail
  expect(end).toMatchObject({
    exitCode: 0,
    bytes: bytes + 1_000_000,
    omitted: bytes - kept,
    stdout: { bytes, omitted: bytes - kept },
    stderr: { bytes: 1_000_000, omitted: 0 },
  })
  expect(seen).toBe(bytes + 1_000_000)
  expect(peak - before).toBeLessThan(bytes / 3)
  const file = join(run.outFolder, 'stdout')
  expect(statSync(file).size).toBe(kept)
  const tail = await readSpool(file, { from: bytes - 32, to: bytes, total: bytes })
  expect(tail.toString()).toBe(line + line)
  place.remove()
})

test('[ONE50] a disk that is full costs the output, counted; without a run file nothing is started', async () => {
  const spool = await openSpool('/dev/full')
  await spool.write(Buffer.alloc(1_000))
  await spool.write(Buffer.alloc(24))
  expect(await spool.end()).toEqual({ bytes: 1_024, omitted: 1_024 })
  expect(await readSpool('/nowhere/stdout', { from: 0, to: 9, total: 9 })).toEqual(Buffer.alloc(0))
  const place = openPlace()
  const end = await place.run('touch ran', { outFolder: '/dev/null/x' })
  expect(end).toMatchObject({ outcome: 'not_started', exitCode: null })
  expect(end.output.head).toMatch(/^The command was not run: /)
  expect(statSync(join(place.folder, 'ran'), { throwIfNoEntry: false })).toBeUndefined()
  place.remove()
})

test('[ONE50] the oldest outputs go when a session has kept too much, those of running commands never', async () => {
  const place = openPlace()
  const runs = []
  for (let n = 0; n < 4; n++) {
    const run = place.start('head -c 1000 /dev/zero')
    await run.end
    runs.push(run)
  }
  const [first, second, third, fourth] = runs.map((run) => run.outFolder)
  await makeRoom(join(place.folder, 'one-shot'), { busy: new Set([runs[0]!.id]), cap: 2_000 })
  const exists = (path: string | undefined) => statSync(path ?? '', { throwIfNoEntry: false })
  expect([first, second, third, fourth].map((path) => exists(path) !== undefined)).toEqual([
    true,
    false,
    false,
    true,
  ])
  place.remove()
})
