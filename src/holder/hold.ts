import { performance } from 'node:perf_hooks'
import type { Hello, HolderStart } from '../protocol/holder/holder.ts'
import { frameKind } from '../protocol/holder/frames.ts'
import { openInput } from './inject/open-input.ts'
import { injecting } from './inject/select.ts'
import { createLink } from './link/link.ts'
import { createRequests } from './link/requests.ts'
import { openOutput, type Output } from './output/open-output.ts'
import { createMarkScanner } from './output/scan-marks.ts'
import { createAskMembers } from './process/end-session.ts'
import { type Home, writeStartFile } from './process/home.ts'
import { sessionMembers } from './process/processes.ts'

interface HoldOptions {
  start: HolderStart
  /** For the start file and the commands on their way in; the caller removes it. */
  privateFolder: string
  /** The folder that servers find it in. */
  home: Pick<Home, 'enter'>
  /** Told when there is nothing left to hold, or nobody came for too long. */
  onDone: () => void
}

/** Owns one shell in one PTY: reads its marks, records its stream, and serves both to a server. */
export function hold({ start, privateFolder, home, onDone }: HoldOptions) {
  const startFile = writeStartFile(start, privateFolder)
  const output = openOutput(start, startFile)
  const input = openInput(output, { start, privateFolder })
  const { current, log, nonces, outbox, pty, queries, stream } = output
  const { adopter, injector, levels } = input
  const isUsed = () =>
    current.exit === null && (stream.isBusy() || sessionMembers(pty.pid).length > 1)
  const idle = createIdleEnd(start.idleMs, isUsed, onDone)
  const asked = createAskMembers(pty.pid, outbox)
  const link = createLink({
    outbox,
    requests: createRequests({ ...output, ...input, asked, home, end: onDone }),
    hello: () => helloOf(output),
    onConnect: idle.leave,
    onDisconnect: waitForServer,
  })
  const scanner = createMarkScanner(nonces, stream.sink)
  pty.listen({
    onData: scanner.feed,
    onExit(code, signal) {
      scanner.flush()
      pty.input.clear()
      adopter.close()
      log.bytes.flush()
      current.exit = { code, signal, time: performance.now() }
      outbox.send(frameKind.exit, current.exit)
      injector.hear({ type: 'left', now: performance.now() })
    },
  })
  waitForServer()

  function waitForServer(): void {
    queries.answering(true)
    idle.wait()
  }

  return {
    shellPid: pty.pid,
    /** The living processes of the shell's session. */
    members: asked.members,
    listen: link.listen,
    close(): void {
      idle.leave()
      levels.close()
      pty.input.clear()
      startFile.remove()
      log.bytes.close()
      link.close()
    },
  }
}

/** All that a new server needs to know. */
function helloOf({ current, log, outbox, pty }: Output): Hello {
  log.bytes.flush()
  return {
    generation: log.generation(),
    pid: process.pid,
    shellPid: pty.pid,
    pts: pty.pts,
    head: log.bytes.head(),
    kept: log.bytes.kept(),
    now: performance.now(),
    marks: [...outbox.marks()],
    injecting: injecting(current.injector.state),
    exit: current.exit,
    size: current.size,
    checkpoint: log.checkpoint(),
    takesStamps: true,
    tellsState: true,
  }
}

/** Ends a holder that nobody came back to, unless it is used: somebody left a run or a job here. */
function createIdleEnd(ms: number, isUsed: () => boolean, onDone: () => void) {
  let timer: NodeJS.Timeout | undefined

  function wait(): void {
    timer = setTimeout(() => (isUsed() ? wait() : onDone()), ms)
  }

  return { wait, leave: () => clearTimeout(timer) }
}
