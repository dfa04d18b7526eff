import type { HolderStart, Checkpoint, Kept, MoveRequest } from '../../protocol/holder/holder.ts'
import { frameKind } from '../../protocol/holder/frames.ts'
import { type Current, startCurrent } from '../current.ts'
import { createOutbox, type Outbox } from '../link/outbox.ts'
import { openPty, type Pty } from '../process/pty.ts'
import type { StartFile } from '../process/home.ts'
import { createQueryAnswerer, type QueryAnswerer } from './follow-text.ts'
import { createNonces, type Nonces } from './scan-marks.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ByteLog, type ByteLogOptions, openByteLog } from './byte-log.ts'
import { createStream, type Stream } from './stream.ts'

/** A shell in its PTY, and the parts that its bytes pass. */
export interface Output {
  current: Current
  log: SessionLog
  nonces: Nonces
  outbox: Outbox
  pty: Pty
  queries: QueryAnswerer
  stream: Stream
}

/** Takes back what a dead shell's programs did to the screen: other buffer, modes, scroll region. */
const cleanScreen = '\x1b[?1047l\x1b[!p\x1b[?1000;1002;1003;1006;2004;1l\x1b>\x1b[?25h\x1b[0m\r\n'

export function openOutput(start: HolderStart, startFile: StartFile): Output {
  const current = startCurrent(start)
  const outbox = createOutbox()
  const log = openSessionLog(start, (kept) => outbox.send(frameKind.kept, kept))
  if (start.generation > 1) log.bytes.append(Buffer.from(cleanScreen))
  const pty = openPty({
    file: start.shell.file,
    args: startFile.args,
    cwd: start.cwd,
    env: { ...start.env, ...startFile.env },
    size: start.size,
  })
  const nonces = createNonces(start.nonce)
  const queries = createQueryAnswerer(pty.input.push)
  const stream = createStream({
    current,
    nonces,
    log,
    outbox,
    queries,
    input: pty.input,
    joinsLines: start.shell.joinsLines === true,
    onStarted: startFile.remove,
  })
  return { current, log, nonces, outbox, pty, queries, stream }
}

type SessionLog = ReturnType<typeof openSessionLog>

/** A few screens of plain text, for want of a screen. */
const tailBytes = 16 * 1024

/** The byte log of the session that the shell is in, which may become another one's. */
function openSessionLog(start: HolderStart, onKept: (kept: Kept) => void) {
  const { maxLogBytes: maxBytes, maxRunBytes: runBytes } = start
  const logIn = (of: string) => ({ folder: join(of, 'pty'), maxBytes, runBytes, onKept })
  let { folder, generation } = start
  let checkpoint: Checkpoint | null = null
  const session = {
    /** Another one after a move. */
    bytes: openByteLog(logIn(folder)),
    /** Which shell of its session this is. */
    generation: () => generation,
    /** The last screen that was put aside. */
    checkpoint: () => checkpoint,
    putAside(next: Checkpoint) {
      checkpoint = next
    },
    /** Goes on in another session; asked once more, it has nothing left to do. */
    move(place: MoveRequest) {
      if (place.folder !== folder)
        ({ log: session.bytes, checkpoint } = moveLog(
          session.bytes,
          checkpoint,
          logIn(place.folder),
        ))
      folder = place.folder
      generation = place.generation
    },
  }
  return session
}

/**
 * The stream goes on in the folder of another session, at its offset. All before stays where it is, but
 * for what came since the last screen that was put aside: with that, all can be drawn from the new folder. The screen
 * is null when there was none near enough.
 */
export function moveLog(
  old: ByteLog,
  checkpoint: Checkpoint | null,
  options: Omit<ByteLogOptions, 'from'>,
): { log: ByteLog; checkpoint: Checkpoint | null } {
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

/** Keeps the screen that a recording of this log begins with. A disk without room for it must not cost the shell. */
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
