import type { RunId, SessionId } from '../protocol/seq.ts'
import type { RunOutput, RunView } from '../protocol/session-view.ts'
import type { OneShots } from './one-shot/one-shots.ts'
import type { EventStore } from './store/store.ts'
import type { Terminal } from './terminal/terminal.ts'
import { withoutCutEnd } from './whole-characters.ts'

/** A run of this session by its public id. */
export async function findRun(
  store: EventStore,
  session: SessionId,
  run: RunId,
): Promise<RunView | null> {
  const found = await store.findRun(run)
  return found?.session === session ? { start: found.start, end: found.end } : null
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
  const whole = goesOn ? withoutCutEnd(bytes) : bytes
  return {
    from: start,
    to: start + missing + whole.length,
    total,
    missing,
    text: whole.toString('utf8'),
  }
}

/** A page of a run's bytes as they are, and where it begins in its output. */
export async function readRunBytes(
  deps: OutputDeps,
  run: RunId,
  { from, limit }: { from: number; limit: number },
): Promise<{ offset: number; bytes: Buffer } | null> {
  const found = await findRun(deps.store, deps.session, run)
  if (found === null) return null
  const kept = keptOutput(deps, found.end)
  if (kept === null) return { offset: 0, bytes: Buffer.alloc(0) }
  const start = Math.min(from, kept.total)
  const { missing, bytes } = await kept.read(start, limit)
  return { offset: start + missing, bytes }
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
