import { constants } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { HeldMark, Hello, HolderExit, HolderStart, Probed } from '../protocol/holder.ts'
import { frameKind } from '../protocol/holder-wire.ts'
import { createQueryAnswerer } from './answer-queries.ts'
import { openByteLog } from './byte-log.ts'
import { killSession } from './end-session.ts'
import { readRequest, type Requests } from './frames-in.ts'
import { createInjector } from './injector.ts'
import { createKeptMarks } from './kept-marks.ts'
import { createLink } from './link.ts'
import { mindsSignal, readProc, readProcess, sendSignal } from './processes.ts'
import { openPty } from './pty.ts'
import { createMarkScanner } from './scan-marks.ts'
import { skipLead } from './skip-lead.ts'
import { writeStartFile } from './start-file.ts'
import { createWriteQueue } from './write-queue.ts'

export interface HoldOptions {
  start: HolderStart
  /** For the start file and the commands on their way in; the caller removes it. */
  privateFolder: string
  /** Told when there is nothing left to hold, or nobody came for a day. */
  onDone: () => void
}

export interface Holding {
  shellPid: number
  listen: (socket: string) => Promise<void>
  close: () => void
}

const interrupt = 0x03
/** Takes back what a dead shell's programs did to the screen: other buffer, modes, scroll region. */
const cleanScreen = '\x1b[?1047l\x1b[!p\x1b[?1000;1002;1003;1006;2004;1l\x1b>\x1b[?25h\x1b[0m\r\n'
const idleMs = 24 * 60 * 60 * 1000
const kinds = new Set<string>(['A', 'B', 'C', 'D', 'H', 'I', 'P'] satisfies HeldMark['kind'][])

/** Owns one shell in one PTY: reads its marks, records its stream, and serves both to a server. */
export function hold({ start, privateFolder, onDone }: HoldOptions): Holding {
  const startFile = writeStartFile(start, privateFolder)
  const marks = createKeptMarks()
  let lastSeq = 0
  let busy = false
  let exit: HolderExit | null = null
  let idleTimer: NodeJS.Timeout | null = null
  let { size } = start
  /** False while a server with an emulator answers: exactly one may. */
  let answering = true

  const log = openByteLog({
    folder: join(start.folder, 'pty'),
    maxBytes: start.maxLogBytes,
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
  const answerQueries = createQueryAnswerer((bytes) => {
    if (answering) input.push(bytes)
  })
  const injector = createInjector({
    folder: privateFolder,
    keys: start.shell.keys,
    write: (bytes) => input.push(bytes),
    onUninjected: (uninjected) => link.send(frameKind.uninjected, uninjected),
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
      answering = on
      // In the stream's own order, so that the server knows which queries were answered here.
      if (!on) link.send(frameKind.quiet, { offset: log.head() })
    },
  }
  const link = createLink({
    hello,
    onFrame: (kind, payload) => readRequest(requests, kind, payload),
    onConnect: stopIdling,
    onDisconnect: waitForServer,
  })
  waitForServer()

  function onText(bytes: Buffer): void {
    link.data(log.head(), bytes)
    log.append(bytes)
    answerQueries(bytes)
  }

  function onMark(kind: string, fields: string[]): void {
    if (!isKind(kind)) return
    lastSeq += 1
    const mark: HeldMark = {
      seq: lastSeq,
      kind,
      fields,
      offset: log.head(),
      time: performance.now(),
    }
    marks.add(mark)
    // A prompt ends a run and must be heard at once; what leads to it may come along with it.
    if (kind === 'B' && !injector.isEntering()) link.send(frameKind.mark, mark)
    else link.sendLazily(frameKind.mark, mark)
    injector.onMark(kind, fields)
    if (kind === 'H') startFile.remove()
    if (kind === 'C') busy = true
    if (kind === 'B') busy = false
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
    }
  }

  function resize(next: HolderStart['size']): void {
    if (exit !== null) return
    size = next
    pty.resize(next)
  }

  function type(bytes: Buffer): void {
    if (exit !== null) return
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
    answering = true
    idleTimer = setTimeout(() => (busy && exit === null ? waitForServer() : onDone()), idleMs)
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
