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
  const { total, read } = kept
  const start = Math.min(from, total)
  const part = start < kept.firstPart ? kept.firstPart : total
  const wanted = Math.min(limit, part - start)
  const bytes = await read(start, start + wanted)
  // Where the page's end is missing, what was read last stands before a gap, not before the next page.
  const isCut =
    start + wanted < part &&
    (bytes.length === wanted || (await read(start + wanted - 1, start + wanted)).length > 0)
  const whole = isCut ? wholeCharacters(bytes) : bytes
  return {
    from: start,
    to: start + wanted - (bytes.length - whole.length),
    total,
    missing: wanted - bytes.length,
    text: whole.toString('utf8'),
  }
}

interface KeptOutput {
  total: number
  /** Where a page ends though there is more: stderr follows stdout, and is not joined to it. */
  firstPart: number
  read(from: number, to: number): Promise<Buffer>
}

function keptOutput({ terminal, oneShots }: OutputDeps, end: RunView['end']): KeptOutput | null {
  if (end === null) return null
  const { run, ptyFrom, ptyTo, stdout, bytes } = end
  if (stdout !== undefined)
    return {
      total: bytes,
      firstPart: stdout.bytes,
      read: (from, to) => oneShots.readOutput({ run, end, from, to }),
    }
  if (ptyFrom === null || ptyTo === null) return null
  return {
    total: ptyTo - ptyFrom,
    firstPart: ptyTo - ptyFrom,
    read: (from, to) => terminal.readOutput({ from: ptyFrom + from, to: ptyFrom + to }),
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
