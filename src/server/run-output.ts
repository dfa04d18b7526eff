import type { Event } from '../protocol/event.ts'
import type { RunId, SessionId } from '../protocol/seq.ts'
import type { RunOutput, RunView } from '../protocol/session-view.ts'
import type { OneShots } from './one-shot/one-shots.ts'
import type { EventStore } from './store/store.ts'
import type { Terminal } from './terminal/terminal.ts'

const page = 1_000

/** A run by its public id; the newest events are looked through first. */
export async function findRun(
  store: EventStore,
  session: SessionId,
  run: RunId,
): Promise<RunView | null> {
  let end: RunView['end'] = null
  for (let before = Number.MAX_SAFE_INTEGER; before > 1;) {
    const events: readonly Event[] = await store.read(session, { before, limit: page })
    for (const event of events.toReversed()) {
      if (event.type === 'run_end' && event.run === run) end = event
      if (event.type === 'run_start' && event.run === run) return { start: event, end }
    }
    before = events[0]?.seq ?? 0
  }
  return null
}

export interface OutputDeps {
  store: EventStore
  terminal: Terminal
  oneShots: OneShots
  session: SessionId
}

/** A page of a run's bytes. Cut at whole characters, so that pages join to the exact text. */
export async function readRunOutput(
  deps: OutputDeps,
  run: RunId,
  { from, limit }: { from: number; limit: number },
): Promise<RunOutput | null> {
  const found = await findRun(deps.store, deps.session, run)
  if (found === null) return null
  const kept = keptOutput(deps, found.end)
  if (kept === null) return { from: 0, to: 0, total: 0, missing: 0, text: '' }
  const { total } = kept
  const start = Math.min(from, total)
  const { missing, bytes, goesOn } = await kept.read(start, limit)
  const whole = goesOn ? wholeCharacters(bytes) : bytes
  return {
    from: start,
    to: start + missing + whole.length,
    total,
    missing,
    text: whole.toString('utf8'),
  }
}

interface Stretch {
  missing: number
  bytes: Buffer
  /** The next page begins with the byte that follows. */
  goesOn: boolean
}

interface KeptOutput {
  total: number
  read(from: number, limit: number): Promise<Stretch>
}

function keptOutput({ terminal, oneShots }: OutputDeps, end: RunView['end']): KeptOutput | null {
  if (end === null) return null
  const { run, ptyFrom, ptyTo, stdout, bytes } = end
  if (stdout !== undefined) {
    const read = (from: number, to: number) => oneShots.readOutput({ run, end, from, to })
    return { total: bytes, read: readStreams(read, { firstPart: stdout.bytes, total: bytes }) }
  }
  if (ptyFrom === null || ptyTo === null) return null
  return {
    total: ptyTo - ptyFrom,
    async read(from, limit) {
      const start = ptyFrom + from
      const { offset, bytes } = await terminal.readOutput({ from: start, to: ptyTo, limit })
      const goesOn = bytes.length === limit && offset + limit < ptyTo
      return { missing: offset - start, bytes, goesOn }
    },
  }
}

/** A page ends with stdout though there is more: stderr follows, and is not joined to it. */
function readStreams(
  read: (from: number, to: number) => Promise<Buffer>,
  { firstPart, total }: { firstPart: number; total: number },
): KeptOutput['read'] {
  return async (from, limit) => {
    const end = from < firstPart ? firstPart : total
    const to = Math.min(from + limit, end)
    const bytes = await read(from, to)
    // Where the page's end is missing, what was read last stands before a gap, not before the next page.
    const goesOn = to < end && (bytes.length === to - from || (await read(to - 1, to)).length > 0)
    return { missing: to - from - bytes.length, bytes, goesOn }
  }
}

/** Without the first bytes of a character that goes on behind the page. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes
    }
  }
  return bytes
}
