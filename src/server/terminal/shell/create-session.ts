import type { ShellReport } from '../../../protocol/events/shell.ts'
import type { HolderClient, HolderEvents } from '../holder/client.ts'
import { type EndOfRunDeps, omittedIn } from '../run/end-of-run.ts'
import type { LevelReport, ShellEnd, TypedReport } from '../terminal.ts'
import { nothing } from '../../../base/text.ts'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Hello } from '../../../protocol/holder/holder.ts'
import { ok } from '../../../base/result.ts'
import { inputText } from '../../../session/calls/prepare-act.ts'
import { isFree, shownIntegration, topShell } from '../../../terminal/shells.ts'
import { killHolder } from '../holder/end-holder.ts'
import { createRuns, type Runs, type RunsDeps } from '../run/runs.ts'
import type { WatchedRun } from '../run/watched-run.ts'
import { type Adoption, createAdoption } from './adopt-shell.ts'
import { createAskState, createAskNames } from './ask-state.ts'
import { createReportQueue } from './do-effects.ts'
import { createLiveShell, type LiveShell } from './live-shell.ts'
import { linkedCwd } from './processes.ts'
import type { ShellKeys, ShellSession, ShellWork } from './session.ts'
import { createSecretLook } from './secret-look.ts'
import { drawn, endingOf, startOf } from './start-and-end.ts'

interface ReporterDeps extends Pick<EndOfRunDeps, 'folder' | 'kept'> {
  generation: number
  client: Pick<HolderClient, 'acknowledge' | 'sync'>
  onEnd(end: ShellEnd): void
  onTyped(report: TypedReport): Promise<void>
  onLevel(report: LevelReport): Promise<void>
}

/** Reports to the session what it has not asked for. Once a report is on disk, the holder may forget its marks. */
function createReporter({
  generation,
  client,
  folder,
  kept,
  ...session
}: ReporterDeps): (report: ShellReport) => Promise<void> {
  return async (report) => {
    switch (report.type) {
      case 'typed-ended': {
        const { seq, level, ...ended } = report
        const range = { from: report.ptyFrom, to: report.ptyTo }
        const omitted = await omittedIn(range, { folder, kept, sync: client.sync })
        await session.onTyped({ ...ended, generation, omitted })
        // The end mark itself stays: it says where the shell is.
        return client.acknowledge(seq - 1, level)
      }
      case 'typed-started':
      case 'typed-over':
        return session.onTyped({ ...report, generation })
      case 'shell-adopted':
      case 'shell-left':
        return session.onLevel({ ...report, generation })
      case 'shell-ended': {
        const { type: _, ...end } = report
        return session.onEnd({ ...end, generation })
      }
      default:
        return report satisfies never
    }
  }
}

export interface ShellSessionOptions
  extends
    Omit<RunsDeps, 'live' | 'reported' | 'watched'>,
    Omit<ReporterDeps, 'generation' | 'client' | 'kept'> {
  hello: Hello
  client: HolderClient
  /** A program has taken the whole screen. */
  isAlternate(): Promise<boolean>
  onChange(): void
}

/** A shell found dead is reported after the run that died with it, if someone resumes it by then. */
const reportDeadMs = 250
/** The time that a killed shell may take to be gone. */
const restartMs = 3_000
const { SIGKILL } = constants.signals

/** A living shell behind its holder, and those that were adopted inside it. */
export function createShellSession(options: ShellSessionOptions): {
  session: ShellSession
  events: HolderEvents
} {
  const { hello, client, isAlternate } = options
  const { generation, pts, shellPid: basePid } = hello
  const reports = createReportQueue(options.diagnose)
  const isLate = hello.exit !== null || hello.marks.some(({ kind }) => kind === 'L')
  if (isLate) reports.add(() => delay(reportDeadMs))
  const watched = new Map<string, WatchedRun>()
  const live = createLiveShell({
    ...options,
    runs: watched,
    reports,
    report: createReporter({ ...options, generation, kept: () => live.kept() }),
    adopt: () => adoption.byItself(),
    restart: () => restart(live, options),
    endHolder,
  })
  const reported = reports.done
  const runs = createRuns({ ...options, live, watched, reported })
  const { ordered } = runs
  const { liveState, onKeys } = createAskState({ client, hello, live })
  const adoption = createAdoption({ client, basePid, pts, isAlternate, live, ordered, reported })

  /** A run that ended with the shell before this server came is asked for first, and its end stored. */
  function endHolder(): void {
    if (!isLate) return client.end()
    setTimeout(() => (watched.size === 0 ? client.end() : undefined), reportDeadMs)
  }

  let onClosed: () => void = () => {}
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve
  })
  const session: ShellSession = {
    state: live.state,
    ...workOf({ live, runs, adoption, watched, client }),
    ...keysOf({ live, watched, onKeys }),
    liveState,
    isAtPrompt: live.isAtPrompt,
    ...createSecretLook({ ...options, live }),
    ...startOf({ live, reported, hello }),
    ...endingOf({ live, client, closed, hello }),
  }
  const onClose = () => {
    live.events.onClose()
    onClosed()
  }
  return { session, events: { ...live.events, onClose } }
}

/** A shell that is killed is gone at once; else it or its holder hangs, and the holder goes too. */
function restart(
  { until }: LiveShell,
  { client, hello }: Pick<ShellSessionOptions, 'client' | 'hello'>,
): void {
  client.signal('session', SIGKILL)
  const forcing = setTimeout(killHolder, restartMs, hello.pid)
  void until(({ exit }) => exit, restartMs).then((exit) => exit && clearTimeout(forcing))
}

interface WorkDeps {
  live: LiveShell
  runs: Runs
  adoption: Adoption
  watched: ReadonlyMap<string, WatchedRun>
  client: HolderClient
}

function workOf({ live, runs, adoption, watched, client }: WorkDeps): ShellWork {
  const top = () => topShell(live.state())
  const namesAt = createAskNames(client)
  return {
    run: runs.run,
    resume: runs.resume,
    settle: runs.settle,
    async send(input, options) {
      const text = input.type === 'interrupt' ? ok(null) : inputText(input)
      if (!text.ok) return { refused: text.error, state: 'running', output: nothing }
      const { run, typing } = top()
      const running = run === null ? undefined : watched.get(run.order.id)
      if (running !== undefined) return running.send(text.value, options)
      return typing.open === null
        ? { refused: 'nothing is running', state: 'ended', output: nothing }
        : { refused: 'the user runs a program of their own', state: 'running', output: nothing }
    },
    async interrupt(signal) {
      live.order({ type: 'signal', signal })
      if (signal === 'restart') await live.until((next) => next.exit, restartMs + 1_000)
    },
    keep: () => live.order({ type: 'keep' }),
    async names() {
      await drawn(live)
      const { shells, exit, stamp } = live.state()
      const [base] = shells
      const isNamed = isFree(base) && shownIntegration(base) !== 'none'
      return namesAt({ isAtPrompt: exit === null && top() === base && isNamed, stamp })
    },
    adopt: adoption.byHand,
    // This machine's files say nothing of a shell on another one.
    cwd: () => (top().isSeen ? (top().cwd ?? linkedCwd(top().pid)) : null),
  }
}

function keysOf({
  live,
  watched,
  onKeys,
}: Pick<WorkDeps, 'live' | 'watched'> & { onKeys(): void }): Pick<ShellKeys, 'type' | 'drive'> {
  return {
    type(keys) {
      onKeys()
      live.listen({ type: 'key', keys })
      watched.get(topShell(live.state()).run?.order.id ?? '')?.onTyped()
    },
    drive: (driver) => live.order({ type: 'drive', driver }),
  }
}
