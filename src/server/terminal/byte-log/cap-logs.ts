import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findHolder } from '../holder/start-holder.ts'
import { listStarts, segmentPath } from './read-byte-log.ts'

export interface CapLogsOptions {
  /** The data folder. */
  home: string
  maxBytes?: number
  /** Asks a living shell's holder to drop its log before this offset; false when it cannot be asked. */
  letGo: (session: string, before: number) => boolean
}

/** All byte logs of a data folder; with sixteen full ones it begins to matter. */
const defaultBytes = 4 * 1024 * 1024 * 1024

interface OldSegment {
  session: string
  folder: string
  start: number
  end: number
  bytes: number
  at: number
}

/**
 * Keeps the byte logs of all sessions together within their cap, the oldest output first. A log with a
 * living holder is the holder's own: it is asked, and left alone if nobody is connected to it. The last
 * segment of a log always stays, because the session's offsets go on from it.
 */
export async function capLogs(options: CapLogsOptions): Promise<void> {
  const { home, letGo, maxBytes = defaultBytes } = options
  const logs = await Promise.all((await sessionFolders(home)).map(readLog))
  let total = logs.flat().reduce((sum, { bytes }) => sum + bytes, 0)
  const old = logs.flatMap((log) => log.slice(0, -1)).sort((a, b) => a.at - b.at)
  for (const segment of old) {
    if (total <= maxBytes) return
    const isLive = findHolder(segment.folder) !== null
    const isGone = isLive ? letGo(segment.session, segment.end) : await remove(segment)
    if (isGone) total -= segment.bytes
  }
}

/** A start has more urgent things to do, and sessions under way are to be connected first. */
const firstMs = 10_000
/** A flood that fills a disk within this is held by each session's own cap. */
const everyMs = 10 * 60_000

/** Looks after the cap while the server runs; returns how to stop. */
export function watchLogs(
  options: CapLogsOptions & { diagnose: (message: string, error: unknown) => void },
): () => void {
  let timer = setTimeout(look, firstMs).unref()

  function look(): void {
    timer = setTimeout(look, everyMs).unref()
    capLogs(options).catch((error: unknown) =>
      options.diagnose('the byte logs could not be kept within their cap', error),
    )
  }

  return () => clearTimeout(timer)
}

async function sessionFolders(home: string): Promise<string[]> {
  const found: string[] = []
  for (const team of await names(join(home, 'teams'))) {
    const sessions = join(home, 'teams', team, 'sessions')
    for (const session of await names(sessions)) found.push(join(sessions, session))
  }
  return found
}

async function readLog(folder: string): Promise<OldSegment[]> {
  const starts = await listStarts(join(folder, 'pty'))
  const segments = await Promise.all(starts.map((start) => readSegment(folder, start)))
  return segments.filter((segment) => segment !== null)
}

async function readSegment(folder: string, start: number): Promise<OldSegment | null> {
  const file = await stat(segmentPath(join(folder, 'pty'), start)).catch(() => null)
  if (file === null) return null
  const { size: bytes, mtimeMs: at } = file
  return { session: basename(folder), folder, start, end: start + bytes, bytes, at }
}

async function remove({ folder, start }: OldSegment): Promise<boolean> {
  for (const extension of ['log', 'times'])
    await rm(segmentPath(join(folder, 'pty'), start, extension), { force: true })
  return true
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
