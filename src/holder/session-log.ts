import { join } from 'node:path'
import type { Checkpoint, HolderStart, Kept, MoveRequest } from '../protocol/holder.ts'
import { type ByteLog, openByteLog } from './byte-log.ts'
import { moveLog } from './move-log.ts'

/** The byte log of the session that the shell is in, which may become another one's. */
export interface SessionLog extends Omit<ByteLog, 'since'> {
  /** Of the shell in its session. */
  generation: () => number
  /** The last screen that was put aside. */
  checkpoint: () => Checkpoint | null
  putAside: (checkpoint: Checkpoint) => void
  /** Goes on in another session; asked once more, it has nothing left to do. */
  move: (place: MoveRequest) => void
}

export function openSessionLog(start: HolderStart, onKept: (kept: Kept) => void): SessionLog {
  const { maxLogBytes: maxBytes, maxRunBytes: runBytes } = start
  const logIn = (of: string) => ({ folder: join(of, 'pty'), maxBytes, runBytes, onKept })
  let { folder, generation } = start
  let checkpoint: Checkpoint | null = null
  let log = openByteLog(logIn(folder))
  return {
    generation: () => generation,
    checkpoint: () => checkpoint,
    putAside(next) {
      checkpoint = next
    },
    move(place) {
      if (place.folder !== folder)
        ({ log, checkpoint } = moveLog(log, checkpoint, logIn(place.folder)))
      folder = place.folder
      generation = place.generation
    },
    append: (bytes) => log.append(bytes),
    flush: () => log.flush(),
    head: () => log.head(),
    kept: () => log.kept(),
    runBegan: () => log.runBegan(),
    runEnded: () => log.runEnded(),
    forget: (before) => log.forget(before),
    close: () => log.close(),
  }
}
