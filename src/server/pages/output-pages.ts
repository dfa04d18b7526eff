import type { RunId, SessionId } from '../../protocol/events/seq.ts'
import type { RunOutput, RunView } from '../../protocol/http/session-view.ts'
import type { OneShots } from '../one-shot/one-shots.ts'
import { withoutCutEnd } from './whole-characters.ts'
import type { EventStore } from '../store/store.ts'
import type { Terminal } from '../terminal/terminal.ts'

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

/** Bytes of a run's output. */
export interface Page {
  from: number
  limit: number
}

/** A page of a run's bytes. Cut at whole characters, so that pages join to the exact text. */
export async function readRunOutput(
  deps: OutputDeps,
  run: RunId,
  page: Page,
): Promise<RunOutput | null> {
  const found = await readPage(deps, run, page)
  if (found === null) return null
  const { from, total, missing, bytes, goesOn } = found
  const whole = goesOn ? withoutCutEnd(bytes) : bytes
  return { from, to: from + missing + whole.length, total, missing, text: whole.toString('utf8') }
}

/** A page of a run's bytes as they are, and where it begins in its output. */
export async function readRunBytes(deps: OutputDeps, run: RunId, page: Page) {
  const found = await readPage(deps, run, page)
  return found && { offset: found.from + found.missing, bytes: found.bytes }
}

async function readPage(deps: OutputDeps, run: RunId, { from, limit }: Page) {
  const found = await findRun(deps.store, deps.session, run)
  if (found === null) return null
  const kept = keptOutput(deps, found.end)
  if (kept === null) return { from: 0, total: 0, missing: 0, bytes: Buffer.alloc(0), goesOn: false }
  const start = Math.min(from, kept.total)
  return { from: start, total: kept.total, ...(await kept.read(start, limit)) }
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
    // A page whose end is missing stands before a gap, not before the next page.
    const goesOn = to < end && (bytes.length === to - from || (await read(to - 1, to)).length > 0)
    return { missing: to - from - bytes.length, bytes, goesOn }
  }
}
