import { assertNever } from '../../base/assert-never.ts'
import { nothing } from '../../base/text.ts'
import { refused } from '../../base/result.ts'
import type { Lane } from '../../protocol/events/run.ts'
import { type SessionState, noUsage } from '../../log/state.ts'
import { due, startShell } from '../../session/due.ts'
import { unknownEnd } from '../../session/record/run-end.ts'
import type { Judged, Report } from '../../session/record/report.ts'
import type { PerformContext, Work } from './perform.ts'

export interface EffectsDeps {
  perform(work: Work, context: PerformContext): Promise<void>
  /** False when it could not be recorded, however often it were tried. */
  report(report: Report): Promise<boolean>
  diagnose(message: string, error: unknown): void
  /** Somebody looks at a terminal that has no shell yet. */
  wantsShell?(): boolean
  /** Runs up to here were begun by an earlier server. */
  loadedHead: number
}

/** Keeps under way what the state says should be: starts keys that appear, aborts keys that vanish. */
export interface Effects {
  reconcile(state: SessionState): void
  /** Resolves when the terminal's runs under way now have been reported. */
  runsSettled(): Promise<void>
  /** Ends the one-shot runs: they are the server's own children, and nobody could pick them up. */
  endOneShots(): Promise<void>
  /** Lets go of everything: model requests are cut, runs live on in their holder. */
  stop(): Promise<void>
}

interface Task {
  type: Work['type']
  lane: Lane | null
  /** Its key vanished; it comes to its end unheard. */
  hasVanished: boolean
  controller: AbortController
  done: Promise<void>
}

/** Stands in the record of a run that ended for this. */
const serverStopped = 'the server was stopped'

export function createEffects(deps: EffectsDeps): Effects {
  const tasks = new Map<string, Task>()
  /** Done, but still listed until their report has been recorded; never started twice. */
  const finished = new Set<string>()
  let wanted: ReadonlyMap<string, Work> = new Map()

  function start(work: Work): void {
    const controller = new AbortController()
    const context: PerformContext = {
      signal: controller.signal,
      isResumed: work.type === 'run' && work.run.seq <= deps.loadedHead,
      report: (report) => tell(work, report),
    }
    const done = deps
      .perform(work, context)
      .catch((error: unknown) => {
        deps.diagnose(`${work.key} failed`, error)
        return close(work, error)
      })
      .finally(() => {
        const hasVanished = tasks.get(work.key)?.hasVanished ?? false
        tasks.delete(work.key)
        const again = wanted.get(work.key)
        // An effect that vanished may be wanted anew by now, and nothing else would say so.
        if (hasVanished && again) start(again)
        else if (!controller.signal.aborted) finished.add(work.key)
      })
    const lane = work.type === 'run' ? work.run.lane : null
    tasks.set(work.key, { type: work.type, lane, hasVanished: false, controller, done })
  }

  /** A report that nobody can record must not leave open what it would have closed. */
  async function tell(work: Work, report: Report): Promise<void> {
    if ((await deps.report(report)) || passing.has(report.type)) return
    await close(work, new Error('What came of it could not be recorded.'))
  }

  async function close(work: Work, error: unknown): Promise<void> {
    await deps.report(failure(work, error))
  }

  function viewed(state: SessionState): readonly Work[] {
    return deps.wantsShell?.() === true ? startShell(state) : []
  }

  return {
    reconcile(state) {
      wanted = new Map([...due(state), ...viewed(state)].map((work) => [work.key, work]))
      for (const key of finished) if (!wanted.has(key)) finished.delete(key)
      for (const [key, task] of tasks) {
        if (wanted.has(key)) continue
        task.hasVanished = true
        task.controller.abort()
      }
      for (const [key, work] of wanted) if (!tasks.has(key) && !finished.has(key)) start(work)
    },
    async runsSettled() {
      const runs = [...tasks.values()].filter((task) => task.lane === 'terminal')
      await Promise.all(runs.map((task) => task.done))
    },
    async endOneShots() {
      const runs = [...tasks.values()].filter((task) => task.lane === 'background')
      for (const { controller } of runs) controller.abort(serverStopped)
      await Promise.all(runs.map((task) => task.done))
    },
    async stop() {
      wanted = new Map()
      const replies = [...tasks.values()].filter((task) => task.type === 'call-model')
      for (const { controller } of replies) controller.abort()
      await Promise.all(replies.map((task) => task.done))
    },
  }
}

/** More follows from the same work. */
const passing: ReadonlySet<Report['type']> = new Set([
  'reply-retried',
  'run-waits',
  'run-timed-out',
])

const notDone = { type: 'act-done', state: 'running', output: nothing } as const

/** A command that could not be judged asks. */
function unjudged(work: Work & { type: 'judge' }, message: string): Judged {
  const { call, command, stamp, terms } = work
  const verdict = {
    decision: 'ask',
    grade: null,
    reasons: [`it could not be judged: ${message}`],
    effective: command,
    looks: [],
    names: [],
    offer: null,
    rules: [],
  } as const
  return { type: 'judged', call: call.seq, verdict, cwd: null, stamp, terms }
}

/** An effect that broke instead of reporting is closed all the same. */
function failure(work: Work, error: unknown): Report {
  const message = error instanceof Error ? error.message : String(error)
  switch (work.type) {
    case 'call-model':
      return {
        type: 'reply-ended',
        step: work.step,
        parts: [],
        stop: 'failed',
        usage: noUsage,
        witness: { prefixBytes: 0, ok: true },
        error: { code: 'internal', message, fatal: false, retryAfterMs: null },
      }
    case 'start-shell':
      return { type: 'shell-failed', generation: work.generation, message }
    case 'judge':
      return unjudged(work, message)
    case 'act':
      return { ...notDone, call: work.call, refused: message }
    case 'command':
      return {
        type: 'command-done',
        call: work.call.seq,
        status: 'error',
        content: message,
        inContext: false,
      }
    case 'compact':
      return { type: 'compacted', turn: work.turn, next: refused(message) }
    case 'await-terminal':
      return { type: 'terminal-busy', call: work.call, run: work.run }
    case 'run':
      return { ...unknownEnd, run: work.run.seq, outcome: 'lost' }
    default:
      return assertNever(work)
  }
}
