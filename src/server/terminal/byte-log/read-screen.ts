import type { Range } from './read-byte-log.ts'
import type { Size, Snapshot } from '../emulator/screen/screen.ts'
import type { SyncedLog } from '../live-view/synced-log.ts'
import type { ScreenStart } from '../live-view/live-screen.ts'
import type { SharedEmulator } from '../emulator/worker/shared-emulator.ts'

export interface Look {
  lines: number
  /** The text keeps its colours. */
  ansi: boolean
  /** Nothing that stands in these places of the byte log is shown. */
  hidden: readonly Range[]
  /** Nothing before this offset is drawn. */
  from?: number
}

export interface Looked {
  text: string
  /** A program has taken the whole screen, and the text is that. */
  isAlternate: boolean
}

export interface LookDeps {
  emulator: SharedEmulator
  log: Pick<SyncedLog, 'start'>
  size(): Size
  /** The end of the stream as far as it was heard. */
  head(): number
  checkpoint(): Snapshot | null
}

/**
 * The terminal's last lines, or the screen of a program that took it. Drawn anew from the byte log,
 * not taken from the screen that people look at: that one has shown everything.
 */
export async function look(wanted: Look, deps: LookDeps): Promise<Looked> {
  const { lines, ansi, hidden } = wanted
  // A private run may begin while this is drawn: no byte from here on is looked at.
  const to = deps.head()
  const { bytes, ...from } = await start(wanted, { to, deps })
  const screen = deps.emulator.open({ ...deps.size(), ...from, scrollback: lines }, { onLost() {} })
  try {
    if (from.checkpoint !== undefined) screen.resize(deps.size())
    for (const part of shownParts({ offset: from.offset, bytes }, hidden)) screen.replay(part)
    const text = await screen.text({ lines, ansi })
    if (screen.isAlternate()) return { text, isAlternate: true }
    return { text: text.split('\n').slice(-lines).join('\n'), isAlternate: false }
  } finally {
    screen.close()
  }
}

async function start(
  { hidden, from }: Look,
  { to, deps }: { to: number; deps: LookDeps },
): Promise<ScreenStart> {
  if (from === undefined) return deps.log.start(to, publicCheckpoint(deps, hidden))
  const { offset, bytes } = await deps.log.start(to, null)
  const skipped = Math.max(0, from - offset)
  return { offset: offset + skipped, bytes: bytes.subarray(skipped) }
}

/** A checkpoint that was taken before anything private was printed. */
function publicCheckpoint(deps: LookDeps, hidden: readonly Range[]): Snapshot | null {
  const checkpoint = deps.checkpoint()
  const isPublic = hidden.every(({ from }) => checkpoint !== null && checkpoint.offset <= from)
  return isPublic ? checkpoint : null
}

/**
 * Stands where something is left out: breaks off a sequence that was begun, and starts a new line,
 * since what follows was printed on one.
 */
const seam = Buffer.from('\x18\x1b[0m\r\n')

/** A stretch of the byte log without what is hidden in it. */
function shownParts(
  { offset, bytes }: { offset: number; bytes: Uint8Array },
  hidden: readonly Range[],
): Uint8Array[] {
  const parts: Uint8Array[] = []
  const end = offset + bytes.length
  let at = offset
  for (const { from, to } of hidden.toSorted((a, b) => a.from - b.from)) {
    if (to <= at || from >= end || from >= to) continue
    parts.push(bytes.subarray(at - offset, Math.max(at, from) - offset), seam)
    at = Math.min(end, to)
  }
  return [...parts, bytes.subarray(at - offset)]
}
