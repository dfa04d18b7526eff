import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSpool, readSpool, spoolCaps } from '../../src/server/one-shot/spool.ts'
import { makeRoom } from '../../src/server/one-shot/make-room.ts'
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

test('[ONE51] 50 MB of output stay within bounded memory and disk, and are counted exactly', async () => {
  const place = openPlace()
  const bytes = 50_000_000
  const before = process.memoryUsage().rss
  let peak = before
  let seen = 0
  const run = place.start(
    `yes 0123456789abcdef | head -c ${bytes}; yes error | head -c 1000000 >&2`,
    {
      onOutput(text) {
        seen += text.length
        peak = Math.max(peak, process.memoryUsage().rss)
      },
    },
  )
  const end = await run.end
  const caps = spoolCaps.head + spoolCaps.tail
  expect(end).toMatchObject({
    exitCode: 0,
    bytes: bytes + 1_000_000,
    omitted: bytes - caps,
    stdout: { bytes, omitted: bytes - caps },
    stderr: { bytes: 1_000_000, omitted: 0 },
  })
  expect(seen).toBe(bytes + 1_000_000)
  expect(statSync(join(run.outFolder, 'stdout')).size).toBe(caps)
  expect(peak - before).toBeLessThan(64 * 1024 * 1024)
  const total = bytes
  const tail = await readSpool(join(run.outFolder, 'stdout'), {
    from: bytes - 34,
    to: bytes,
    total,
  })
  const line = '0123456789abcdef\n'
  expect(tail.toString()).toBe((line + line + line).slice((bytes % 17) + 17 - 34).slice(-34) || '')
  place.remove()
})

test('[ONE52] the oldest outputs go when a session has kept too much, those of running commands never', async () => {
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
