import { constants } from 'node:os'
import type { Hello, HolderExit } from '../../protocol/holder.ts'
import { ok } from '../../protocol/result.ts'
import type { RunId } from '../../protocol/seq.ts'
import { createAskNames } from './ask-names.ts'
import type { DrawPart } from './draw-output.ts'
import { followRun, type RunFollower, type RunShell } from './follow-run.ts'
import type { HolderClient, HolderEvents } from './holder-client.ts'
import { inputBytes } from './input-bytes.ts'
import { integrations } from './integration/pick-shell.ts'
import { interruptForeground } from './interrupt.ts'
import { linkedCwd } from './linked-cwd.ts'
import { readMark } from './read-mark.ts'
import { reportTyped } from './report-typed.ts'
import { notStarted } from './run-end.ts'
import type { DrawScreen } from './run-sight.ts'
import { evolveShell, integrationOf, startState } from './shell-state.ts'
import type {
  RunWatch,
  ShellEnd,
  ShellInfo,
  Terminal,
  TerminalRun,
  TerminalRunEnd,
  TypedReport,
} from './terminal.ts'

export interface ShellSession extends Pick<
  Terminal,
  'run' | 'resume' | 'settle' | 'send' | 'interrupt' | 'keep' | 'names'
> {
  /** A person typed. */
  typed: () => void
  info: () => ShellInfo
  /** At the first prompt; false when the shell ended before. */
  ready: Promise<boolean>
  sync: () => Promise<void>
  head: () => number
  forget: (before: number) => boolean
  /** The server leaves; what goes on is not reported any more. */
  leave: () => void
  /** Ends shell and holder; resolves when the holder is gone. */
  end: () => Promise<void>
}

export interface ShellSessionOptions {
  hello: Hello
  client: HolderClient
  /** The byte log's folder. */
  folder: string
  draw: DrawPart | null
  screen: DrawScreen | null
  onEnd: (end: ShellEnd) => void
  onTyped: (report: TypedReport) => Promise<void>
}

/** Far above the protocol's limit for a command; a frame must hold it. */
const maxCommandChars = 1024 * 1024
/** A shell found dead is reported after the run that died with it, if someone resumes it by then. */
const reportDeadMs = 250

/** One living shell behind its holder, and the one run that may go on in it. */
export function createShellSession(options: ShellSessionOptions): {
  session: ShellSession
  events: HolderEvents
} {
  const { hello, client, folder, draw, screen, onEnd } = options
  const heard = hello.marks.map(readMark)
  let state = heard.reduce(evolveShell, startState(hello.shellPid))
  let { head, kept, exit } = hello
  let current: { id: RunId; follower: RunFollower } | null = null
  let last: { id: RunId; seq: number | null } | null = null
  let ending: 'restarted' | 'closed' | 'left' | null = null
  let reported = false
  let onReady: (ready: boolean) => void = () => {}
  let onClosed: () => void = () => {}
  let onExited: () => void = () => {}
  const ready = new Promise<boolean>((resolve) => {
    onReady = resolve
  })
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve
  })
  const exited = new Promise<void>((resolve) => {
    onExited = resolve
  })
  if (state.phase === 'prompt') onReady(true)
  if (exit !== null) {
    const dead = exit
    setTimeout(() => reportAfterRun(dead), reportDeadMs)
  }

  const shell: RunShell = {
    pid: hello.shellPid,
    pts: hello.pts,
    folder,
    cwd: () => linkedCwd(hello.shellPid) ?? state.cwd,
    kept: () => kept,
    draw,
    screen,
    head: () => head,
    sync: client.sync,
    probe: client.probe,
    input: (text) => client.input(Buffer.from(text)),
    signal: (signal) => client.signal('foreground', signal),
    interrupt,
    restart,
  }

  const typed = reportTyped({
    hello,
    client,
    folder,
    kept: () => kept,
    onTyped: async (report) => (ending === 'left' ? undefined : options.onTyped(report)),
  })
  const asked = createAskNames(client)

  /** What goes on in the shell, whoever began it. */
  const running = () => current ?? typed.current()
  const isAtPrompt = () => current === null && exit === null && state.phase === 'prompt'

  function interrupt(): void {
    const run = running()
    const isRunning = () => run !== null && running() === run
    interruptForeground({ client, pts: hello.pts, shellPid: hello.shellPid, isRunning })
  }

  function restart(): void {
    ending ??= 'restarted'
    client.signal('session', constants.signals.SIGKILL)
  }

  function report({ code, signal }: Pick<HolderExit, 'code' | 'signal'>): void {
    if (reported || ending === 'left') return
    reported = true
    const reason = ending ?? (signal === null ? 'exited' : 'killed')
    onEnd({ generation: hello.generation, reason, exitCode: code, signal })
    // With a run at stake the holder stays until its end is on disk.
    if (last === null && ending !== 'closed') client.end()
  }

  /** Whoever waits for the run learns of its end before the shell's. */
  function reportAfterRun(found: Pick<HolderExit, 'code' | 'signal'>): void {
    const run = current?.follower.end ?? typed.told()
    void run.then(() => setImmediate(report, found))
  }

  async function follow(run: TerminalRun, follower: RunFollower): Promise<TerminalRunEnd> {
    current = { id: run.id, follower }
    const end = await follower.end
    current = null
    last = { id: run.id, seq: follower.lastSeq() }
    if (end.outcome === 'ended') state = { ...state, phase: 'prompt' }
    return end
  }

  async function run(run: TerminalRun, watch: RunWatch): Promise<TerminalRunEnd> {
    const no = reasonNotToRun(run.command, watch)
    if (no !== null) return notStarted(no)
    heard.length = 0
    last = null
    const { line, asFile } = integrations[state.shell].line(run.command)
    const command = Buffer.from(line)
    client.inject({
      id: run.id,
      command,
      model: run.by === 'model',
      asFile,
      private: run.private === true,
    })
    // While the holder works; what it says arrives in a later turn.
    return follow(run, followRun(shell, run, watch))
  }

  function reasonNotToRun(command: string, watch: RunWatch): string | null {
    if (exit !== null || ending !== null) return 'The command was not run: the shell has ended.'
    if (!isAtPrompt()) return 'The command was not run: the terminal is busy.'
    if (watch.signal.aborted) return 'The command was not run: it was stopped before it began.'
    if (command.includes('\0')) return 'The command was not run: it contains a NUL character.'
    if (command.length > maxCommandChars) return 'The command was not run: it is too long.'
    return null
  }

  async function resume(run: TerminalRun, watch: RunWatch): Promise<TerminalRunEnd> {
    const marks = [...heard]
    const known = marks.some((mark) => mark.kind === 'loaded' && mark.id === run.id)
    // The holder enters a command as a whole or not at all, so the line editor is clean.
    if (!known && hello.injecting !== run.id) {
      return notStarted('The command was not run: it had not reached the shell.')
    }
    const follower = followRun(shell, run, watch)
    const end = follow(run, follower)
    await follower.pickUp({ marks, head, now: hello.now })
    if (watch.signal.aborted) shell.interrupt()
    if (exit !== null) follower.onExit(exit)
    return end
  }

  const events: HolderEvents = {
    onData(offset, bytes) {
      head = offset + bytes.length
      if (current === null) typed.onData(bytes)
      else current.follower.onData(offset, bytes)
    },
    onMark(mark) {
      head = Math.max(head, mark.offset)
      state = evolveShell(state, mark)
      if (state.phase === 'prompt') onReady(true)
      typed.onMark(mark)
      asked.onMark(mark)
      if (current === null) heard.push(mark)
      else current.follower.onMark(mark)
    },
    onExit(found) {
      exit = found
      onExited()
      onReady(false)
      current?.follower.onExit(found)
      reportAfterRun(found)
    },
    onKept(found) {
      kept = found
    },
    onUninjected({ id, reason, isUnheard }) {
      if (isUnheard === true) state = { ...state, isUnheard }
      if (current?.id === id) current.follower.onUninjected(reason)
    },
    onClose() {
      onClosed()
      onExited()
      onReady(false)
      if (ending === 'left' || reported) return
      const gone = { code: null, signal: 'SIGHUP', time: 0 }
      if (ending === 'closed') current?.follower.onExit(gone)
      else current?.follower.onLost()
      if (ending === null && exit === null) {
        reported = true
        onEnd({ generation: hello.generation, reason: 'lost', exitCode: null, signal: null })
      } else reportAfterRun(exit ?? gone)
    },
  }

  const session: ShellSession = {
    info: () => ({
      generation: hello.generation,
      shell: state.shell,
      pid: hello.shellPid,
      cwd: state.cwd ?? linkedCwd(hello.shellPid) ?? '/',
      integration: integrationOf(state),
    }),
    ready,
    sync: client.sync,
    head: () => head,
    forget(before) {
      client.forget(before)
      return true
    },
    run,
    resume,
    settle(id) {
      if (last?.id !== id) return
      // The end mark itself stays: it says where the shell is.
      if (last.seq !== null) client.acknowledge(last.seq - 1)
      if (exit !== null) client.end()
    },
    async send(input, options) {
      const none = { head: '', tail: '', omittedChars: 0 }
      const bytes = input.type === 'interrupt' ? ok(null) : inputBytes(input)
      if (!bytes.ok) return { refused: bytes.error, state: 'running', output: none }
      const sent = await current?.follower.send(bytes.value, options)
      const isTheirs = typed.current() !== null
      const why = isTheirs ? 'the user runs a program of their own' : 'nothing is running'
      return sent ?? { refused: why, state: isTheirs ? 'running' : 'ended', output: none }
    },
    typed: () => current?.follower.onTyped(),
    keep: () => current?.follower.keep(),
    names: () => asked.names(isAtPrompt() && integrationOf(state) !== 'none'),
    async interrupt(signal) {
      if (signal === 'int') return interrupt()
      if (signal === 'restart') {
        restart()
        return exited
      }
      if (current === null && state.phase !== 'running') return
      shell.signal(signal === 'term' ? constants.signals.SIGTERM : constants.signals.SIGKILL)
    },
    leave() {
      ending = 'left'
      client.disconnect()
    },
    end() {
      ending = 'closed'
      client.end()
      return closed
    },
  }
  return { session, events }
}
