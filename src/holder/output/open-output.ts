import type { HolderStart } from '../../protocol/holder/holder.ts'
import { frameKind } from '../../protocol/holder/frames.ts'
import { type Current, startCurrent } from '../current.ts'
import { createOutbox, type Outbox } from '../link/outbox.ts'
import { openPty, type Pty } from '../process/pty.ts'
import type { StartFile } from '../process/start-file.ts'
import { createQueryAnswerer, type QueryAnswerer } from './follow-text.ts'
import { createNonces, type Nonces } from './scan-marks.ts'
import { openSessionLog, type SessionLog } from './session-log.ts'
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
