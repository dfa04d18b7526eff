import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkpoint } from '../protocol/holder.ts'
import { type ByteLog, type ByteLogOptions, openByteLog } from './byte-log.ts'

export interface MovedLog {
  log: ByteLog
  /** The screen that the log goes on from; null when there was none near enough. */
  checkpoint: Checkpoint | null
}

/** A few screens of plain text, for want of a screen. */
const tailBytes = 16 * 1024

/**
 * The stream goes on in the folder of another session, at its offset. What lies before stays where it is, but
 * for what came since the last screen that was put aside: with that, all can be drawn from the new folder.
 */
export function moveLog(
  old: ByteLog,
  checkpoint: Checkpoint | null,
  options: Omit<ByteLogOptions, 'from'>,
): MovedLog {
  const drawn = checkpoint === null ? null : old.since(checkpoint.offset)
  const from = drawn === null ? tailStart(old) : old.head() - drawn.length
  const log = openByteLog({ ...options, from })
  const bytes = drawn ?? old.since(from)
  if (bytes !== null) log.append(bytes)
  log.flush()
  const kept = drawn === null ? null : checkpoint
  if (kept !== null) keepFirstScreen(options.folder, kept)
  old.close()
  return { log, checkpoint: kept }
}

/** What a recording of this log begins with. A disk without room for it must not cost the shell. */
function keepFirstScreen(folder: string, screen: Checkpoint): void {
  try {
    writeFileSync(join(folder, 'first-screen.json'), JSON.stringify(screen), { mode: 0o600 })
  } catch {}
}

function tailStart(old: ByteLog): number {
  old.flush()
  const from = Math.max(0, old.head() - tailBytes)
  return old.since(from) === null ? old.head() : from
}
