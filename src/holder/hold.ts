import { performance } from 'node:perf_hooks'
import type {
  HeldMark,
  Hello,
  HolderExit,
  HolderStart,
  MoveRequest,
  Uninjected,
} from '../protocol/holder.ts'
import { frameKind, movingMarks } from '../protocol/holder-wire.ts'
import { createAdopter } from './adopter.ts'
import { createQueryAnswerer } from './answer-queries.ts'
import { wayByFile } from './way-in.ts'
import { encodeMark, isMarkKind } from './encode-mark.ts'
import { readRequest, type Requests } from './frames-in.ts'
import type { Home } from './home.ts'
import { createIdleEnd } from './idle-end.ts'
import { createInjector, type Injection } from './injector.ts'
import { createKeptMarks } from './kept-marks.ts'
import { createKeys } from './keys.ts'
import { createLevels } from './levels.ts'
import { createLink } from './link.ts'
import { maskNonces } from './mask-nonces.ts'
import { createNamesPull } from './names-pull.ts'
import { probeShell, sessionMembers } from './processes.ts'
import { createNonces, type Owner } from './nonces.ts'
import { createPartialLine } from './partial-line.ts'
import { openPty } from './pty.ts'
import { shellReads } from './reads-terminal.ts'
import { openSessionLog } from './session-log.ts'
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

/** So long a line editor still writes after its prompt. */
const drawMs = 1
/** Takes back what a dead shell's programs did to the screen: other buffer, modes, scroll region. */
const cleanScreen = '\x1b[?1047l\x1b[!p\x1b[?1000;1002;1003;1006;2004;1l\x1b>\x1b[?25h\x1b[0m\r\n'
/** What a line editor writes before its prompt, and so before the mark of that. */
const pasteOn = Buffer.from('\x1b[?2004h')

/** Owns one shell in one PTY: reads its marks, records its stream, and serves both to a server. */
export function hold({ start, privateFolder, home, onDone }: HoldOptions): Holding {
  const startFile = writeStartFile(start, privateFolder)
  const marks = createKeptMarks()
  let lastSeq = 0
  let stamp = 0
  let promptedAt = Number.NEGATIVE_INFINITY
  let busy = false
  let exit: HolderExit | null = null
  let lastText: Buffer = Buffer.alloc(0)
  let { size } = start

  const log = openSessionLog(start, (kept) => link.send(frameKind.kept, kept))
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
    onLate: (id: string) => link.send(frameKind.late, { id }),
    onUninjected(uninjected: Uninjected) {
      keys.spared()
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
  const onLeft = (level: number) => keep('L', [], level)
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
  const requests: Requests = {
    input: type,
    inject,
    adopt: adopter.adopt,
    resize,
    signal: keys.signal,
    acknowledge: marks.acknowledge,
    sync() {
      log.flush()
      link.send(frameKind.synced, {})
    },
    probe(pid) {
      link.send(frameKind.probed, probeShell(exit === null ? (pid ?? pty.pid) : null))
    },
    end: onDone,
    answering(on) {
      queries.answering(on)
      // In the stream's own order, so that the server knows which queries were answered here.
      if (!on) link.send(frameKind.quiet, { offset: log.head() })
    },
    answer(offset, bytes) {
      queries.dealtWith(offset)
      input.push(bytes)
    },
    checkpoint(next) {
      log.putAside(next)
      queries.dealtWith(next.offset)
    },
    forget: (before) => log.forget(before),
    names: () => names.ask(),
    withdraw: (id) => levels.injector().withdraw(id),
    move: (place) =>
      void move(place).then(
        () => link.send(frameKind.moved, { ok: true }),
        () => link.send(frameKind.moved, { ok: false }),
      ),
  }
  const idle = createIdleEnd({
    ms: start.idleMs,
    isUsed: () => exit === null && (busy || sessionMembers(pty.pid).length > 1),
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
    if (adopter.takesText(bytes)) return
    const injector = levels.injector()
    // A command's line being drawn and a prompt being finished are no news; a wake-up would cost more.
    const isDrawing = injector.isEntering() || performance.now() - promptedAt < drawMs
    link.data({ offset: log.head(), bytes, when: isDrawing ? 'soon' : 'now' })
    log.append(bytes)
    lastText = bytes
    partial.onText(bytes)
    injector.onText(bytes)
    queries.feed(bytes, log.head())
  }

  function onMark(kind: string, fields: string[], owner: Owner): void {
    if (owner === 0) names.onMark(kind, fields)
    if (adopter.takesMark(kind, fields, owner) || typeof owner !== 'number') return
    if (!isMarkKind(kind)) return
    levels.spoke(owner)
    const injector = levels.injector()
    if (injector.isStale(kind, fields)) return injector.onMark(kind, fields)
    keep(kind, injector.named(kind, fields), owner)
  }

  function keep(kind: HeldMark['kind'], fields: string[], level: number): void {
    const injector = levels.injector()
    lastSeq += 1
    if (movingMarks.has(kind)) stamp = lastSeq
    partial.onMark(kind)
    const offset = log.head() - promptLead(kind, lastText)
    const mark = { seq: lastSeq, kind, level, fields, offset, time: performance.now() }
    const isPrompt = kind === 'B' && !injector.isEntering()
    if (isPrompt) promptedAt = mark.time
    // The end of a line or the prompt ends a run and must be heard at once; what leads to it may come along.
    const isNews = isPrompt || kind === 'D'
    // First, for the shell waits for its next key.
    injector.onMark(kind, fields)
    keys.follow(levels.injector().keysMode())
    marks.add(mark)
    if (isNews) link.send(frameKind.mark, encodeMark(mark))
    else link.sendLazily(frameKind.mark, encodeMark(mark))
    if (kind === 'H' && level === 0) startFile.remove()
    if (kind === 'C') {
      busy = true
      log.runBegan()
    }
    // With another shell inside, the run that started it is no longer one that prints.
    if (kind === 'B' || kind === 'H') {
      busy = false
      log.runEnded()
    }
  }

  function inject(injection: Injection, level: number): void {
    const isFor = level === levels.top()
    const isMoved = injection.stamp !== null && injection.stamp !== stamp
    if (isFor && !isMoved && !adopter.isBusy()) {
      keys.follow('shut')
      return levels.injector().inject(injection)
    }
    const reason = isMoved
      ? 'the shell is not as it was when this was allowed'
      : isFor
        ? 'a shell is being adopted'
        : 'the shell it was for has ended'
    link.send(frameKind.uninjected, { id: injection.id, reason, isMoved })
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
      marks: [...marks.all()],
      injecting: levels.injector().injecting(),
      exit,
      size,
      checkpoint: log.checkpoint(),
    }
  }

  async function move(place: MoveRequest): Promise<void> {
    log.move(place)
    await home.enter(place)
  }

  function resize(next: HolderStart['size']): void {
    if (exit !== null) return
    size = next
    pty.resize(next)
  }

  function type(bytes: Buffer): void {
    if (exit !== null || adopter.takesKeys(bytes)) return
    names.onTyped()
    keys.type(bytes)
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

/** How much of a prompt stands before its mark: it is no output of what ran before. */
function promptLead(kind: HeldMark['kind'], text: Buffer): number {
  const isLed = kind === 'A' && text.subarray(-pasteOn.length).equals(pasteOn)
  return isLed ? pasteOn.length : 0
}
