// takes: 30 s
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Event } from '../../src/protocol/events/event.ts'
import { openDatabase } from '../../src/server/store/database.ts'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { bundleChildren } from './children/bundle.ts'
import { startChild } from './children/child.ts'
import { textOf } from './events.ts'
import { createRandom, type Random } from './random.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()
const session = 'session-1'
/** With SECURITY 5.3. Two lanes, as many as the cores of a small machine. */
const kills = 200
const lanes = 2
/** A new file now and then, so that its creation is killed too. */
const killsPerFile = 25
let child: (name: string) => string

beforeAll(async () => {
  child = await bundleChildren(folder())
})

/** Where each key's events end; throws on a gap, a cut or doubled append. */
function headsOf(events: readonly Event[]): Map<string, number> {
  const heads = new Map<string, number>()
  let expected = { key: '', index: 0, size: 0 }
  for (const [place, event] of events.entries()) {
    if (event.seq !== place + 1) throw new Error(`a gap before ${event.seq}`)
    // Event 1 is a session_start: an append of one, whose key no text names.
    if (event.seq === 1) continue
    const [key = '', index, size] = (textOf(event) ?? '').split('/')
    const found = { key, index: Number(index), size: Number(size) }
    const begins = expected.index === expected.size
    if (begins && heads.has(key)) throw new Error(`${key} is doubled at ${event.seq}`)
    const wanted = begins ? { ...found, index: 0 } : expected
    expect(found, `event ${event.seq}`).toEqual(wanted)
    heads.set(key, event.seq)
    expected = { ...found, index: found.index + 1 }
  }
  if (expected.index !== expected.size) throw new Error(`${expected.key} is cut`)
  return heads
}

async function check(file: string, acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const store = openSqliteStore({ file })
  const head = (await store.summary(session))?.head ?? 0
  const events = await store.read(session, { limit: 1_000_000 })
  const snapshot = await store.snapshot(session)
  const heads = headsOf(events)
  expect(events.length).toBe(head)
  expect(snapshot?.seq ?? 0).toBe(head)
  for (const [key, at] of acknowledged) {
    if (at > 1) expect(heads.get(key), key).toBe(at)
    expect(await store.findKey(session, key)).toMatchObject({ head: at })
    expect(head).toBeGreaterThanOrEqual(at)
  }
  await store.close()
  const database = openDatabase({ file })
  expect(database.get(z.unknown(), 'PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
  database.close()
}

/** `repeated`: killed between commit and acknowledgement, and found again by the key. */
interface Totals {
  acks: number
  repeated: number
}

async function lane(name: string, random: Random): Promise<Totals> {
  let acknowledged = new Map<string, number>()
  const total = { acks: 0, repeated: 0 }
  let file = ''
  let retry = ''
  for (let round = 0; round < kills / lanes; round += 1) {
    if (round % killsPerFile === 0) {
      file = join(folder(), `${name}-${round}.db`)
      acknowledged = new Map()
      retry = ''
    }
    const process = startChild(child('append'), [file, session, String(round), retry])
    await process.wrote(random.wholeBelow(12))
    const timer = setTimeout(() => process.kill(), random.below(4))
    const { lines, signal, errors } = await process.gone
    clearTimeout(timer)
    expect({ signal, errors }, random.seed).toEqual({ signal: 'SIGKILL', errors: '' })
    for (const line of lines) {
      const [key = '', head, outcome] = line.split(' ')
      if (outcome === 'repeated') total.repeated += 1
      acknowledged.set(key, Number(head))
    }
    total.acks += lines.length
    const retried = retry && lines.length === 0
    if (!retried) retry = `${round}.${lines.length - (retry ? 1 : 0)}`
    const last = round % killsPerFile === killsPerFile - 1
    // Else the next child itself finds what the kill left.
    if (last || random.below(1) < 0.3) {
      await check(file, acknowledged)
    }
  }
  return total
}

describe('kill -9', () => {
  test('[STORE22] of 200 processes killed while appending none loses, doubles or cuts an acknowledged append', async () => {
    const totals = await Promise.all(
      Array.from({ length: lanes }, (_, index) =>
        lane(`lane-${index}`, createRandom('kill -9', index)),
      ),
    )
    const acks = totals.reduce((sum, total) => sum + total.acks, 0)
    const repeated = totals.reduce((sum, total) => sum + total.repeated, 0)
    process.stdout.write(
      `kill -9: ${kills} kills, ${acks} acknowledged appends, ${repeated} found stored by their key\n`,
    )
    expect(acks).toBeGreaterThan(kills)
  })
})
