import { performance } from 'node:perf_hooks'
import type { Hello, HolderExit, HolderStart, Uninjected } from '../protocol/holder.ts'
import { frameKind } from '../protocol/holder-wire.ts'
import { createAdopter } from './adopter.ts'
import { createQueryAnswerer } from './answer-queries.ts'
import { wayByFile } from './way-in.ts'
import { isMarkKind } from './encode-mark.ts'
import { readRequest } from './frames-in.ts'
import type { Home } from './home.ts'
import { createIdleEnd } from './idle-end.ts'
import { createInjector } from './injector.ts'
import { createKeys } from './keys.ts'
import { createLevels } from './levels.ts'
import { createLink } from './link.ts'
import { maskNonces } from './mask-nonces.ts'
import { createNamesPull } from './names-pull.ts'
import { sessionMembers } from './processes.ts'
import { createNonces, type Owner } from './nonces.ts'
import { createPartialLine } from './partial-line.ts'
import { openPty } from './pty.ts'
import { shellReads } from './reads-terminal.ts'
import { requestsOf } from './requests-of.ts'
import { openSessionLog } from './session-log.ts'
import { createShellStream } from './shell-stream.ts'
import { createMarkScanner } from './scan-marks.ts'
import { skipLead } from './skip-lead.ts'
import { writeStartFile } from './start-file.ts'
import { createWriteQueue } from './write-queue.ts'

export interface HoldOptions {
  start: HolderStart
  /** For the start file and the commands on their way in; the caller removes it. */
  privateFolder: string
  /** Where servers find it. */
  home: Pick<Home, 'enter'>
  /** Told when there is nothing left to hold, or nobody came for too long. */
  onDone: () => void
}

export interface Holding {
  shellPid: number
  listen: (socket: string) => Promise<void>
  close: () => void
}

/** Takes back what a dead shell's programs did to the screen: other buffer, modes, scroll region. */
const cleanScreen = '\x1b[?1047l\x1b[!p\x1b[?1000;1002;1003;1006;2004;1l\x1b>\x1b[?25h\x1b[0m\r\n'

/** Owns one shell in one PTY: reads its marks, records its stream, and serves both to a server. */
export function hold({ start, privateFolder, home, onDone }: HoldOptions): Holding {
  const startFile = writeStartFile(start, privateFolder)
  let exit: HolderExit | null = null
  let { size } = start

  const log = openSessionLog(start, (kept) => link.send(frameKind.kept, kept))
  const stream = createShellStream({
    log,
    link: () => link,
    keys: () => keys,
    injector: () => levels.injector(),
    partial: () => partial,
    queries: () => queries,
    onStarted: startFile.remove,
  })
  const nonces = createNonces(start.nonce)
  const titles = (owner: Owner) => typeof owner === 'number' && levels.titles(owner)
  const masked = maskNonces(nonces)
  const text = (bytes: Buffer) => onText(masked(bytes))
  const scanner = createMarkScanner(nonces, skipLead({ text, mark: onMark }, titles))
  if (start.generation > 1) log.append(Buffer.from(cleanScreen))
  const pty = openPty({
    file: start.shell.file,
    args: startFile.args,
    cwd: start.cwd,
    env: { ...start.env, ...startFile.env },
    size: start.size,
    onData: (bytes) => scanner.feed(bytes),
    onExit,
  })
  const input = createWriteQueue(pty.fd)
  const queries = createQueryAnswerer((bytes) => input.push(bytes))
  const partial = createPartialLine(onText)
  const write = (bytes: Buffer) => {
    if (start.shell.joinsLines === true && levels.top() === 0) partial.onKey()
    input.push(bytes)
  }
  const keys = createKeys({
    queue: input,
    shellPid: pty.pid,
    pts: pty.pts,
    isOver: () => exit !== null,
    injector: () => levels.injector(),
  })
  const reads = () => shellReads(pty.pid, pty.pid)
  const injecting = {
    write,
    place: stream.place,
    onLate: (id: string) => link.send(frameKind.late, { id }),
    onSettled: () => keys.follow(levels.injector().keysMode()),
    onUninjected(uninjected: Uninjected) {
      keys.spared(levels.injector().keysMode())
      link.send(frameKind.uninjected, uninjected)
    },
    onPasted(id: string, attempt: number) {
      onMark('I', [id, '0', String(attempt), ''], levels.top())
      // As where a shell draws its prompt anew with the command in the line.
      onMark('A', [], levels.top())
    },
  }
  const own = createInjector({
    ...injecting,
    way: wayByFile(privateFolder, start.shell.keys.load),
    keys: start.shell.keys,
    alwaysBrackets: start.shell.alwaysBrackets === true,
    shellPid: pty.pid,
    reads,
  })
  const base = { nonce: start.nonce, injector: own, titles: start.shell.titlesCommands === true }
  const onLeft = (level: number) => stream.mark('L', [], level)
  const levels = createLevels({ ...injecting, base, session: pty.pid, nonces, onLeft })
  const adopter = createAdopter({
    levels,
    nonces,
    write,
    show: onText,
    answer: (adopted) => link.send(frameKind.adopted, adopted),
  })
  const names = createNamesPull({
    folder: privateFolder,
    key: start.shell.keys.names,
    fresh: start.shell.keys.fresh,
    shellPid: pty.pid,
    reads,
    isFree: () => exit === null && levels.injector() === own && !own.isEntering(),
    write,
    answer: (bytes) => link.send(frameKind.named, bytes),
  })
  const requests = requestsOf({
    adopter,
    home,
    input,
    keys,
    levels,
    log,
    names,
    queries,
    stream,
    link: () => link,
    shellPid: pty.pid,
    isOver: () => exit !== null,
    resize(next) {
      size = next
      pty.resize(next)
    },
    end: onDone,
  })
  const idle = createIdleEnd({
    ms: start.idleMs,
    isUsed: () => exit === null && (stream.isBusy() || sessionMembers(pty.pid).length > 1),
    onDone,
  })
  const link = createLink({
    hello,
    onFrame: (kind, payload) => readRequest(requests, kind, payload),
    onConnect: idle.leave,
    onDisconnect: waitForServer,
  })
  waitForServer()

  function onText(bytes: Buffer): void {
    if (!adopter.takesText(bytes)) stream.text(bytes)
  }

  function onMark(kind: string, fields: string[], owner: Owner): void {
    if (owner === 0) names.onMark(kind, fields)
    if (adopter.takesMark(kind, fields, owner) || typeof owner !== 'number') return
    if (!isMarkKind(kind)) return
    levels.spoke(owner)
    const injector = levels.injector()
    if (injector.isStale(kind, fields)) {
      injector.onMark(kind, fields)
      return keys.follow(levels.injector().keysMode())
    }
    stream.mark(kind, injector.named(kind, fields), owner)
  }

  function onExit(code: number | null, signalName: string | null): void {
    scanner.flush()
    input.clear()
    adopter.close()
    log.flush()
    exit = { code, signal: signalName, time: performance.now() }
    link.send(frameKind.exit, exit)
    own.leave()
  }

  function hello(): Hello {
    log.flush()
    return {
      generation: log.generation(),
      pid: process.pid,
      shellPid: pty.pid,
      pts: pty.pts,
      head: log.head(),
      kept: log.kept(),
      now: performance.now(),
      marks: [...stream.marks.all()],
      injecting: levels.injector().injecting(),
      exit,
      size,
      checkpoint: log.checkpoint(),
      takesStamps: true,
    }
  }

  function waitForServer(): void {
    queries.answering(true)
    idle.wait()
  }

  return {
    shellPid: pty.pid,
    listen: link.listen,
    close() {
      idle.leave()
      levels.close()
      input.clear()
      startFile.remove()
      log.close()
      link.close()
    },
  }
}
