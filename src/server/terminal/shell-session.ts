import { constants } from 'node:os'
import type { Hello, HolderExit, MoveRequest } from '../../protocol/holder.ts'
import { refused } from '../../protocol/result.ts'
import { createAskNames } from './ask-names.ts'
import type { DrawPart } from './draw-output.ts'
import { endMs } from './end-holder.ts'
import type { HolderClient, HolderEvents } from './holder-client.ts'
import { killHolder } from './kill-holder.ts'
import { linkedCwd } from './linked-cwd.ts'
import { type Mark, readMark } from './read-mark.ts'
import type { DrawScreen } from './run-sight.ts'
import { createShellLevels } from './shell-levels.ts'
import { integrationOf } from './shell-state.ts'
import type { LevelReport, ShellEnd, ShellInfo, Terminal, TypedReport } from './terminal.ts'
import { within } from './within.ts'

export interface ShellSession extends Pick<
  Terminal,
  'run' | 'resume' | 'settle' | 'send' | 'interrupt' | 'keep' | 'names' | 'adopt' | 'cwd'
> {
  /** A person typed. */
  typed: () => void
  info: () => ShellInfo
  /** At the first prompt; false when the shell ended before. */
  ready: Promise<boolean>
  /** False when the holder does not answer. */
  sync: () => Promise<boolean>
  head: () => number
  /** Resolves when what was typed before anybody listened is told, but for what waits for a run inside. */
  caughtUp: () => Promise<unknown>
  /** After a command its prompt is there, unless that takes long. */
  drawn: () => Promise<void>
  /** Its prompt is there, and nothing is in front of it: also nothing that it does not tell of. */
  isAtRest: () => Promise<boolean>
  forget: (before: number) => boolean
  /** It is another session's, whose folder this is: nothing of it is reported here any more. */
  give: (place: MoveRequest) => Promise<void>
  /** The server leaves; what goes on is not reported any more. */
  leave: () => void
  /** Ends shell and holder; true when the holder is gone, false when it does not go. */
  end: () => Promise<boolean>
}

export interface ShellSessionOptions {
  hello: Hello
  client: HolderClient
  /** The byte log's folder. */
  folder: string
  draw: DrawPart | null
  screen: DrawScreen | null
  /** A program has taken the whole screen. */
  isAlternate: () => Promise<boolean>
  onEnd: (end: ShellEnd) => void
  onTyped: (report: TypedReport) => Promise<void>
  onLevel: (report: LevelReport) => Promise<void>
  diagnose: (message: string, error: unknown) => void
}

/** A shell found dead is reported after the run that died with it, if someone resumes it by then. */
const reportDeadMs = 250
/** So long a prompt may take to be drawn while somebody waits for the shell. */
const promptMs = 3_000
/** A shell that is killed is gone at once; else it or its holder hangs, and the holder goes too. */
const restartMs = 3_000
/** Who looks, or types a name, waits no longer for a slow prompt; what was there before has to do. */
const drawnMs = 200

/** One living shell behind its holder, and those that were adopted inside it. */
export function createShellSession(options: ShellSessionOptions): {
  session: ShellSession
  events: HolderEvents
} {
  const { hello, onEnd } = options
  const client: HolderClient = { ...options.client, acknowledge }
  const { generation } = hello
  let { head, kept, exit } = hello
  let ending: 'restarted' | 'closed' | 'left' | null = null
  let reported = false
  let forcing: NodeJS.Timeout | null = null
  let onClosed: () => void = () => {}
  let onExited: () => void = () => {}
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve
  })
  const exited = new Promise<void>((resolve) => {
    onExited = resolve
  })

  const levels = createShellLevels({
    client,
    generation,
    basePid: hello.shellPid,
    pts: hello.pts,
    folder: options.folder,
    draw: options.draw,
    screen: options.screen,
    isAlternate: options.isAlternate,
    head: () => head,
    kept: () => kept,
    found: hello,
    isOver: () => exit !== null || ending !== null,
    restart,
    diagnose: options.diagnose,
    onTyped: async (report) => (ending === 'left' ? undefined : options.onTyped(report)),
    onLevel: async (report) => (ending === 'left' ? undefined : options.onLevel(report)),
  })
  const { base, top } = levels
  const asked = createAskNames(client)
  if (hello.marks.length > 0) levels.catchUp(hello.marks.map(readMark))
  if (exit !== null) {
    const dead = exit
    levels.onExit(dead)
    setTimeout(() => reportAfterRun(dead), reportDeadMs)
  }

  const isNamed = () => base.isFree() && integrationOf(base.state()) !== 'none'

  /** What is not reported here must be heard by whoever comes next. */
  function acknowledge(seq: number, level: number): void {
    if (ending !== 'left') options.client.acknowledge(seq, level)
  }

  function restart(): void {
    ending ??= 'restarted'
    client.signal('session', constants.signals.SIGKILL)
    forcing ??= setTimeout(killHolder, restartMs, hello.pid)
  }

  function report({ code, signal }: Pick<HolderExit, 'code' | 'signal'>): void {
    if (reported || ending === 'left') return
    reported = true
    const reason = ending ?? (signal === null ? 'exited' : 'killed')
    onEnd({ generation, reason, exitCode: code, signal })
    // With a run at stake the holder stays until its end is on disk.
    if (!levels.hasRun() && ending !== 'closed') client.end()
  }

  /** Whoever waits for a run learns of its end before the shell's. */
  function reportAfterRun(found: Pick<HolderExit, 'code' | 'signal'>): void {
    levels
      .quiet()
      .catch((error: unknown) => options.diagnose('a run’s end was not waited for', error))
      .finally(() => setImmediate(report, found))
  }

  function onMark(mark: Mark): void {
    head = Math.max(head, mark.offset)
    asked.onMark(mark)
    levels.onMark(mark)
  }

  const events: HolderEvents = {
    onData(offset, bytes) {
      head = offset + bytes.length
      top().onData(offset, bytes)
    },
    onMark,
    onExit(found) {
      exit = found
      onExited()
      if (forcing !== null) clearTimeout(forcing)
      levels.onExit(found)
      reportAfterRun(found)
    },
    onKept(found) {
      kept = found
    },
    onUninjected: (uninjected) => top().onUninjected(uninjected),
    onClose() {
      onClosed()
      onExited()
      if (forcing !== null) clearTimeout(forcing)
      levels.onGone()
      if (ending === 'left' || reported) return
      const gone = { code: null, signal: 'SIGHUP', time: 0 }
      if (ending === 'closed') levels.onExit(gone)
      else levels.onLost()
      if (ending === null && exit === null) {
        reported = true
        onEnd({ generation, reason: 'lost', exitCode: null, signal: null })
      } else reportAfterRun(exit ?? gone)
    },
  }

  async function drawn(): Promise<void> {
    if (top().state().phase === 'returning') await top().isBack(AbortSignal.timeout(drawnMs))
  }

  const session: ShellSession = {
    info: () => ({
      generation,
      shell: base.state().shell,
      pid: hello.shellPid,
      cwd: base.state().cwd ?? linkedCwd(hello.shellPid) ?? '/',
      integration: integrationOf(base.state()),
    }),
    // Of a shell on another machine this one's files say nothing.
    cwd: () => (top().isSeen() ? (top().state().cwd ?? top().cwd()) : null),
    ready: base.ready,
    sync: client.sync,
    head: () => head,
    caughtUp: async () => levels.isAlone() && base.quiet(),
    async isAtRest() {
      if (!(await base.isBack(AbortSignal.timeout(promptMs)))) return false
      const probed = await client.probe()
      return probed === null || probed.foreground === hello.shellPid
    },
    forget(before) {
      client.forget(before)
      return true
    },
    run: (run, watch) => top().run(run, watch),
    resume: (run, watch) => levels.of(run.id).resume(run, watch),
    settle(id) {
      if (levels.settle(id) && exit !== null) client.end()
    },
    send: (input, sending) => top().send(input, sending),
    typed: () => top().typed(),
    keep: () => top().keep(),
    drawn,
    async names() {
      await drawn()
      return asked.names(exit === null && top() === base && isNamed())
    },
    async adopt() {
      if (exit !== null || ending !== null) return refused('The shell has ended.')
      return levels.adopt()
    },
    async interrupt(signal) {
      if (signal !== 'restart') return top().interrupt(signal)
      restart()
      return exited
    },
    async give(place) {
      ending = 'left'
      await client.move(place)
      client.disconnect()
    },
    leave() {
      ending = 'left'
      client.disconnect()
    },
    async end() {
      ending = 'closed'
      const answered = client.sync()
      client.end()
      return (await answered) && within(endMs, closed)
    },
  }
  return { session, events }
}
