import type { Moment } from '../incoming.ts'
import { finishRun, notRun } from '../shell/run.ts'
import { hangMs } from '../shell/shell.ts'
import type { Shell } from '../state.ts'
import { act, andThen, type Step, stay } from '../shells.ts'
import {
  announcedMs,
  type Limit,
  type Limited,
  limitEffects,
  limitWakesAt,
  stirLimit,
} from './deadlines.ts'
import { askKernel, lookIdle } from './idle.ts'
import { interruptKey } from '../effect.ts'
import { noPrompt, stopRun, wakeClimb, wakeLadder, wakePress } from './stop.ts'

/** Time has passed: does what is due. */
export function wakeShell(shell: Shell, moment: Moment): Step<Shell> {
  const steps = [
    wakePress,
    wakeClimb,
    wakeExec,
    wakeAwaiting,
    wakeIdle,
    wakeLimit,
    wakeLadder,
    wakeFailed,
  ]
  return steps.reduce<Step<Shell>>(
    (step, wake) => andThen(step, (state) => wake(state, moment)),
    stay(shell),
  )
}

function wakeExec(shell: Shell, { now }: Moment): Step<Shell> {
  const looked = shell.execs && lookIdle(shell.execs, now)
  if (looked === null || !shell.isSeen) return stay(shell)
  const next = { ...shell, execs: looked.idle }
  return looked.asks ? act(next, { type: 'probe', level: shell.level, why: 'exec' }) : stay(next)
}

function wakeAwaiting(shell: Shell, moment: Moment): Step<Shell> {
  const { run } = shell
  if (run === null || run.awaits === null) return stay(shell)
  const { hangsAt, isHung, idle } = run.awaits
  if (moment.now >= hangsAt) {
    if (isHung) return finishRun(shell, notRun(noPrompt))
    const awaits = { idle, hangsAt: moment.now + hangMs, isHung: true }
    return act({ ...shell, run: { ...run, awaits } }, { type: 'type', text: interruptKey })
  }
  const looked = idle && lookIdle(idle, moment.now)
  if (looked === null) return stay(shell)
  const next = { ...shell, run: { ...run, awaits: { ...run.awaits, idle: looked.idle } } }
  return looked.asks ? askKernel(next, moment) : stay(next)
}

function wakeIdle(shell: Shell, moment: Moment): Step<Shell> {
  const { run } = shell
  const looked = run === null || run.idle === null ? null : lookIdle(run.idle, moment.now)
  if (run === null || looked === null) return stay(shell)
  const next = { ...shell, run: { ...run, idle: looked.idle } }
  return looked.asks ? askKernel(next, moment) : stay(next)
}

function wakeLimit(shell: Shell, moment: Moment): Step<Shell> {
  const { run } = shell
  if (run === null || run.limit === null) return stay(shell)
  return afterLimit(shell, lookLimit(run.limit, moment.now), moment)
}

export function lookLimit(limit: Limit, now: number): Limited {
  if (now < limitWakesAt(limit)) return { limit, news: null }
  if (limit.counts === 'duration')
    return { limit: { ...limit, phase: 'over' }, news: { type: 'reached' } }
  return { limit: { ...limit, isAsked: true }, news: { type: 'asks' } }
}

/** The edge says whether the program has computed: one that works is not silent. */
export function hearWork(shell: Shell, hasWorked: boolean, moment: Moment): Step<Shell> {
  const limit = shell.run?.limit ?? null
  if (limit === null) return stay(shell)
  return afterLimit(shell, answerLimit(limit, hasWorked, moment.now), moment)
}

function answerLimit(before: Limit, hasWorked: boolean, now: number): Limited {
  const limit = { ...before, isAsked: false }
  // Somebody stirred meanwhile, or nothing counts any more.
  if (!before.isAsked || limit.isPaused || now < limitWakesAt(limit)) return { limit, news: null }
  if (limit.phase === 'far') return { limit: { ...limit, phase: 'watched' }, news: null }
  if (hasWorked) return stirLimit(limit, now)
  const leftMs = limit.since + limit.ms - now
  if (leftMs <= 0) return { limit: { ...limit, phase: 'over' }, news: { type: 'reached' } }
  const near = Math.min(leftMs, announcedMs(limit))
  return { limit: { ...limit, phase: 'near' }, news: { type: 'near', leftMs: near } }
}

function afterLimit(shell: Shell, { limit, news }: Limited, moment: Moment): Step<Shell> {
  const { run } = shell
  if (run === null) return stay(shell)
  if (news === null) return stay(limit === run.limit ? shell : { ...shell, run: { ...run, limit } })
  const next = act<Shell>({ ...shell, run: { ...run, limit } }, ...limitEffects(run, news))
  return news.type === 'reached' ? andThen(next, (state) => stopRun(state, moment)) : next
}

function wakeFailed(shell: Shell, { now }: Moment): Step<Shell> {
  const failed = shell.run?.failed ?? null
  if (failed === null || now < failed.until) return stay(shell)
  return finishRun(shell, { type: 'unstarted', ...failed })
}
