import { act, type Step, stay, andThen } from './effect.ts'
import { answerIdle, type Idle, lookIdle, looksIdle, type Probe, startIdle } from './idle.ts'
import { climb, ladderWakesAt } from './ladder.ts'
import { answerLimit, limitWakesAt, lookLimit } from './limit.ts'
import { limitEffects, type Run } from './run.ts'
import { ownNeed } from './needs.ts'
import { adoptReplaced } from './replaced.ts'
import { enterAtPrompt, finishRun, giveUpAwaiting, hangMs, stopRun } from './run-life.ts'
import type { Moment } from './shell.ts'
import { sendStep, wakeClimb, wakePress } from './shell-press.ts'
import type { Shell } from './state.ts'
import { isLikelyOver, type Track } from './track.ts'

const interruptKey = '\x03'
const maxBreaks = 3

/** When something in this shell has to be looked at next. */
export function shellWakesAt({ run, press, climb, execs }: Shell): number {
  const never = Number.POSITIVE_INFINITY
  const pressed = Math.min(press?.lookAt ?? never, climb?.lookAt ?? never, idleWakesAt(execs))
  return run === null ? pressed : Math.min(pressed, runWakesAt(run))
}

function runWakesAt({ awaits, idle, limit, ladder, failed }: Run): number {
  return Math.min(
    idleWakesAt(awaits?.idle ?? idle),
    awaits?.hangsAt ?? Number.POSITIVE_INFINITY,
    limit === null ? Number.POSITIVE_INFINITY : limitWakesAt(limit),
    ladder === null ? Number.POSITIVE_INFINITY : ladderWakesAt(ladder),
    failed?.until ?? Number.POSITIVE_INFINITY,
  )
}

function idleWakesAt(idle: Idle | null): number {
  return idle?.lookAt ?? Number.POSITIVE_INFINITY
}

/** Time has passed. */
export function shellWakes(shell: Shell, moment: Moment): Step<Shell> {
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

function wakeAwaiting(shell: Shell, moment: Moment): Step<Shell> {
  const { run } = shell
  if (run === null || run.awaits === null) return stay(shell)
  const { hangsAt, isHung, idle } = run.awaits
  if (moment.now >= hangsAt) {
    if (isHung) return giveUpAwaiting(shell)
    const awaits = { idle, hangsAt: moment.now + hangMs, isHung: true }
    return act({ ...shell, run: { ...run, awaits } }, { type: 'type', text: interruptKey })
  }
  const looked = idle && lookIdle(idle, moment.now)
  if (looked === null) return stay(shell)
  const next = { ...shell, run: { ...run, awaits: { ...run.awaits, idle: looked.idle } } }
  return looked.asks ? askKernel(next, moment) : stay(next)
}

function wakeExec(shell: Shell, { now }: Moment): Step<Shell> {
  const looked = shell.execs && lookIdle(shell.execs, now)
  if (looked === null || !shell.isSeen) return stay(shell)
  const next = { ...shell, execs: looked.idle }
  return looked.asks ? act(next, { type: 'probe', level: shell.level, why: 'exec' }) : stay(next)
}

/** Whether another shell reads in the place of this one. */
export function hearExec(shell: Shell, probe: Probe | null, { now }: Moment): Step<Shell> {
  if (shell.execs === null) return stay(shell)
  const looks = looksIdle(probe, false)
  const { idle, isIdle } = answerIdle(shell.execs, { looksIdle: looks, isLikely: false, now })
  if (!isIdle) return stay({ ...shell, execs: idle })
  const over = { ...shell, execs: null }
  return probe?.replaced === 'shell' ? adoptReplaced(over) : stay(over)
}

function wakeIdle(shell: Shell, moment: Moment): Step<Shell> {
  const { run } = shell
  const looked = run === null || run.idle === null ? null : lookIdle(run.idle, moment.now)
  if (run === null || looked === null) return stay(shell)
  const next = { ...shell, run: { ...run, idle: looked.idle } }
  return looked.asks ? askKernel(next, moment) : stay(next)
}

/** Out of the kernel's sight, the marks have to do. */
function askKernel(shell: Shell, moment: Moment): Step<Shell> {
  if (shell.isSeen) return act(shell, { type: 'probe', level: shell.level, why: 'idle' })
  return hearIdle(shell, null, moment)
}

function wakeLimit(shell: Shell, moment: Moment): Step<Shell> {
  const { run } = shell
  if (run === null || run.limit === null) return stay(shell)
  return afterLimit(shell, lookLimit(run.limit, moment.now), moment)
}

/** Whether the program has computed is known: what works is not silent. */
export function hearWork(shell: Shell, hasWorked: boolean, moment: Moment): Step<Shell> {
  const limit = shell.run?.limit ?? null
  if (limit === null) return stay(shell)
  return afterLimit(shell, answerLimit(limit, hasWorked, moment.now), moment)
}

function afterLimit(
  shell: Shell,
  { limit, news }: ReturnType<typeof lookLimit>,
  moment: Moment,
): Step<Shell> {
  const { run } = shell
  if (run === null) return stay(shell)
  if (news === null) return stay(limit === run.limit ? shell : { ...shell, run: { ...run, limit } })
  const next = act<Shell>({ ...shell, run: { ...run, limit } }, ...limitEffects(run, news))
  return news.type === 'reached' ? andThen(next, (state) => stopRun(state, moment)) : next
}

function wakeLadder(shell: Shell, { now }: Moment): Step<Shell> {
  const { run } = shell
  const climbed = run === null || run.ladder === null ? null : climb(run.ladder, now)
  if (run === null || climbed === null) return stay(shell)
  const next: Shell = { ...shell, run: { ...run, ladder: climbed.ladder } }
  return climbed.step === 'restart' ? act(next, { type: 'restart' }) : sendStep(next, climbed.step)
}

function wakeFailed(shell: Shell, { now }: Moment): Step<Shell> {
  const failed = shell.run?.failed ?? null
  if (failed === null || now < failed.until) return stay(shell)
  return finishRun(shell, { type: 'unstarted', ...failed })
}

/** The kernel answered, or could not; null where it cannot see this shell. */
export function hearIdle(shell: Shell, probe: Probe | null, moment: Moment): Step<Shell> {
  const { run, track } = shell
  if (run === null) return stay(shell)
  if (run.awaits !== null) return hearAwaiting(shell, probe, moment)
  if (run.idle === null || track === null) return stay(shell)
  const isLikely = isLikelyOver(track)
  const looks = shell.isSeen ? looksIdle(probe, isLikely) : isLikely
  const { idle, isIdle } = answerIdle(run.idle, { looksIdle: looks, isLikely, now: moment.now })
  if (!isIdle) return stay({ ...shell, run: { ...run, idle } })
  return hearBack({ ...shell, run: { ...run, idle: null } }, probe, moment)
}

function hearAwaiting(shell: Shell, probe: Probe | null, moment: Moment): Step<Shell> {
  const { run } = shell
  if (run === null || run.awaits === null || run.awaits.idle === null) return stay(shell)
  const looks = shell.isSeen && looksIdle(probe, true)
  const answered = answerIdle(run.awaits.idle, {
    looksIdle: looks,
    isLikely: true,
    now: moment.now,
  })
  if (answered.isIdle) return enterAtPrompt({ ...shell, phase: 'prompt' }, moment)
  return stay({ ...shell, run: { ...run, awaits: { ...run.awaits, idle: answered.idle } } })
}

/** The shell looks as at its prompt, though no mark says so. */
function hearBack(shell: Shell, probe: Probe | null, { now, head }: Moment): Step<Shell> {
  const { run, track } = shell
  if (run === null || track === null) return stay(shell)
  const again: Shell & { run: Run } = { ...shell, run: { ...run, idle: startIdle(now) } }
  const replaced = probe?.replaced ?? null
  if (ownNeed(run, track, { name: 'bash', replaced }) !== null) return stay(again)
  if (mayBreakOff(run, track)) return breakOff(again)
  const ended = finishRun(shell, endOf(track) ?? head)
  // A shell without a word may be another one by now.
  const isReplaced = !isLikelyOver(track) && replaced === 'shell'
  return isReplaced ? andThen(ended, adoptReplaced) : ended
}

function endOf({ to, prompted }: Track): number | undefined {
  return (to ?? prompted?.at)?.offset
}

/** It may as well wait for the rest of an incomplete line, and take the next command for it. */
function mayBreakOff({ breaks }: Run, track: Track): boolean {
  return track.incomplete && !isLikelyOver(track) && breaks < maxBreaks
}

function breakOff(shell: Shell & { run: Run }): Step<Shell> {
  const run = { ...shell.run, breaks: shell.run.breaks + 1 }
  return act({ ...shell, run }, { type: 'type', text: interruptKey })
}
