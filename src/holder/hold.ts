import { constants } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type {
  Checkpoint,
  HeldMark,
  Hello,
  HolderExit,
  HolderStart,
  Probed,
} from '../protocol/holder.ts'
import { frameKind } from '../protocol/holder-wire.ts'
import { createQueryAnswerer } from './answer-queries.ts'
import { openByteLog } from './byte-log.ts'
import { encodeMark } from './encode-mark.ts'
import { killSession } from './end-session.ts'
import { readRequest, type Requests } from './frames-in.ts'
import { createInjector } from './injector.ts'
import { createKeptMarks } from './kept-marks.ts'
import { createLink } from './link.ts'
import { createNamesPull } from './names-pull.ts'
import { mindsSignal, readProc, readProcess, sendSignal, sessionMembers } from './processes.ts'
import { openPty } from './pty.ts'
import { createMarkScanner } from './scan-marks.ts'
import { skipLead } from './skip-lead.ts'
import { writeStartFile } from './start-file.ts'
import { createWriteQueue } from './write-queue.ts'

export interface HoldOptions {
  start: HolderStart
  /** For the start file and the commands on their way in; the caller removes it. */
  privateFolder: string
  /** Told when there is nothing left to hold, or nobody came for too long. */
  onDone: () => void
}

export interface Holding {
  shellPid: number
  listen: (socket: string) => Promise<void>
  close: () => void
}

const interrupt = 0x03
/** So long a line editor still writes after its prompt. */
const drawMs = 1
/** Takes back what a dead shell's programs did to the screen: other buffer, modes, scroll region. */
const cleanScreen = '\x1b[?1047l\x1b[!p\x1b[?1000;1002;1003;1006;2004;1l\x1b>\x1b[?25h\x1b[0m\r\n'
const kinds = new Set<string>(['A', 'B', 'C', 'D', 'H', 'I', 'P'] satisfies HeldMark['kind'][])

/** Owns one shell in one PTY: reads its marks, records its stream, and serves both to a server. */
export function hold({ start, privateFolder, onDone }: HoldOptions): Holding {
  const startFile = writeStartFile(start, privateFolder)
  const marks = createKeptMarks()
  let lastSeq = 0
  let promptedAt = Number.NEGATIVE_INFINITY
  let busy = false
  let exit: HolderExit | null = null
  let idleTimer: NodeJS.Timeout | null = null
  let { size } = start
  let checkpoint: Checkpoint | null = null

  const log = openByteLog({
    folder: join(start.folder, 'pty'),
    maxBytes: start.maxLogBytes,
    runBytes: start.maxRunBytes,
    onKept: (kept) => link.send(frameKind.kept, kept),
  })
  const heard = { text: onText, mark: onMark }
  const scanner = createMarkScanner(
    start.nonce,
    start.shell.titlesCommands === true ? skipLead(heard) : heard,
  )
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
  const injector = createInjector({
    folder: privateFolder,
    keys: start.shell.keys,
    alwaysBrackets: start.shell.alwaysBrackets === true,
    shellPid: pty.pid,
    write: (bytes) => input.push(bytes),
    onUninjected: (uninjected) => link.send(frameKind.uninjected, uninjected),
    onPasted(id) {
      onMark('I', [id, '0'])
      // As where a shell draws its prompt anew with the command in the line.
      onMark('A', [])
    },
  })
  const names = createNamesPull({
    folder: privateFolder,
    key: start.shell.keys.names,
    fresh: start.shell.keys.fresh,
    shellPid: pty.pid,
    isFree: () => exit === null && !injector.isEntering(),
    write: (bytes) => input.push(bytes),
    answer: (bytes) => link.send(frameKind.named, bytes),
  })
  const requests: Requests = {
    input: type,
    inject: (injection) => injector.inject(injection),
    resize,
    signal,
    acknowledge: (seq) => marks.acknowledge(seq),
    sync() {
      log.flush()
      link.send(frameKind.synced, {})
    },
    probe: () => link.send(frameKind.probed, probe()),
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
      checkpoint = next
      queries.dealtWith(next.offset)
    },
    forget: (before) => log.forget(before),
    names: () => names.ask(),
  }
  const link = createLink({
    hello,
    onFrame: (kind, payload) => readRequest(requests, kind, payload),
    onConnect: stopIdling,
    onDisconnect: waitForServer,
  })
  waitForServer()

  function onText(bytes: Buffer): void {
    // A command's line being drawn and a prompt being finished are no news; a wake-up would cost more.
    const isDrawing = injector.isEntering() || performance.now() - promptedAt < drawMs
    link.data({ offset: log.head(), bytes, when: isDrawing ? 'soon' : 'now' })
    log.append(bytes)
    injector.onText(bytes)
    queries.feed(bytes, log.head())
  }

  function onMark(kind: string, fields: string[]): void {
    names.onMark(kind, fields)
    if (!isKind(kind)) return
    if (injector.isStale(kind)) return injector.onMark(kind, fields)
    lastSeq += 1
    const mark: HeldMark = {
      seq: lastSeq,
      kind,
      fields: injector.named(kind, fields),
      offset: log.head(),
      time: performance.now(),
    }
    // A prompt ends a run and must be heard at once; what leads to it may come along with it.
    const isNews = kind === 'B' && !injector.isEntering()
    if (isNews) promptedAt = mark.time
    // First, for the shell waits for its next key.
    injector.onMark(kind, fields)
    marks.add(mark)
    if (isNews) link.send(frameKind.mark, encodeMark(mark))
    else link.sendLazily(frameKind.mark, encodeMark(mark))
    if (kind === 'H') startFile.remove()
    if (kind === 'C') {
      busy = true
      log.runBegan()
    }
    if (kind === 'B') {
      busy = false
      log.runEnded()
    }
  }

  function onExit(code: number | null, signalName: string | null): void {
    scanner.flush()
    input.clear()
    log.flush()
    exit = { code, signal: signalName, time: performance.now() }
    link.send(frameKind.exit, exit)
  }

  function hello(): Hello {
    log.flush()
    return {
      generation: start.generation,
      pid: process.pid,
      shellPid: pty.pid,
      pts: pty.pts,
      head: log.head(),
      kept: log.kept(),
      now: performance.now(),
      marks: [...marks.all()],
      injecting: injector.injecting(),
      exit,
      size,
      checkpoint,
    }
  }

  function resize(next: HolderStart['size']): void {
    if (exit !== null) return
    size = next
    pty.resize(next)
  }

  function type(bytes: Buffer): void {
    if (exit !== null) return
    names.onTyped()
    // Behind input that nobody reads, Ctrl+C would wait for ever.
    if (bytes.length === 1 && bytes[0] === interrupt && input.stuck()) {
      input.clear()
      return signal('foreground', constants.signals.SIGINT)
    }
    input.push(bytes)
  }

  function signal(target: 'foreground' | 'session', number: number): void {
    if (exit !== null) return
    if (target === 'session') return killSession(pty.pid)
    const foreground = readProcess(pty.pid)?.foreground ?? 0
    if (foreground > 1) sendSignal(-foreground, number)
  }

  function probe(): Probed {
    const foreground = exit === null ? (readProcess(pty.pid)?.foreground ?? 0) : 0
    return {
      foreground,
      minds: mindsSignal(foreground, constants.signals.SIGINT),
      syscall: readProc(`/proc/${pty.pid}/syscall`)?.trim() ?? null,
    }
  }

  function stopIdling(): void {
    if (idleTimer !== null) clearTimeout(idleTimer)
  }

  function waitForServer(): void {
    queries.answering(true)
    idleTimer = setTimeout(() => (isUsed() ? waitForServer() : onDone()), start.idleMs)
  }

  /** Somebody left a run or a job here. */
  function isUsed(): boolean {
    return exit === null && (busy || sessionMembers(pty.pid).length > 1)
  }

  return {
    shellPid: pty.pid,
    listen: link.listen,
    close() {
      stopIdling()
      input.clear()
      startFile.remove()
      log.close()
      link.close()
    },
  }
}

function isKind(kind: string): kind is HeldMark['kind'] {
  return kinds.has(kind)
}
