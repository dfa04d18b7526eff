import type { Moment, Probe } from '../incoming.ts'
import { adoptReplaced } from '../shell/nested.ts'
import { needOfShell } from '../shell/needs.ts'
import { finishRun, type Run } from '../shell/run.ts'
import { enterAtPrompt } from '../shell/shell.ts'
import { isLikelyOver, type Track } from '../shell/track.ts'
import type { Shell } from '../state.ts'
import { act, andThen, type Step, stay } from '../shells.ts'
import { firstIdleMs, type Idle, startIdle } from './deadlines.ts'
import { interruptKey } from '../effect.ts'

const maxMs = 1000
/** A moment between two commands looks idle, too: without a mark it must look so several times. */
const timesUnlikely = 3
const maxBreaks = 3

/** Null: it is not time yet; else whether the kernel is to be asked. */
export function lookIdle(idle: Idle, now: number): { idle: Idle; asks: boolean } | null {
  if (idle.lookAt === null || now < idle.lookAt) return null
  if (now - idle.stirredAt < firstIdleMs) {
    const lookAt = idle.stirredAt + firstIdleMs
    return { idle: { ...idle, times: 0, waitMs: firstIdleMs, lookAt }, asks: false }
  }
  return { idle: { ...idle, lookAt: null, askedAt: idle.stirredAt }, asks: true }
}

/** The answer: how often in a row it looked idle now, and whether that is enough. */
function answerIdle(
  idle: Idle,
  { looksIdle, isLikely, now }: { looksIdle: boolean; isLikely: boolean; now: number },
): { idle: Idle; isIdle: boolean } {
  const times = looksIdle && idle.askedAt === idle.stirredAt ? idle.times + 1 : 0
  const isIdle = times >= (isLikely ? 1 : timesUnlikely)
  const waitMs = Math.min(idle.waitMs * 2, maxMs)
  return { idle: { ...idle, times, waitMs, lookAt: now + waitMs }, isIdle }
}

function looksIdle(probe: Probe | null, isLikely: boolean): boolean {
  if (probe === null || !(probe.isAtPrompt || probe.isReading)) return false
  if (isLikely) return true
  return probe.replaced === null ? probe.isAtPrompt : probe.replaced === 'shell'
}

/** Asks whether the shell is at its prompt. Out of the kernel's sight, the marks have to do. */
export function askKernel(shell: Shell, moment: Moment): Step<Shell> {
  if (shell.isSeen) return act(shell, { type: 'probe', level: shell.level, why: 'idle' })
  return hearIdle(shell, null, moment)
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

function hearAwaiting(shell: Shell, probe: Probe | null, { now, ...at }: Moment): Step<Shell> {
  const { run } = shell
  if (run === null || run.awaits === null || run.awaits.idle === null) return stay(shell)
  const looks = shell.isSeen && looksIdle(probe, true)
  const answered = answerIdle(run.awaits.idle, { looksIdle: looks, isLikely: true, now })
  if (answered.isIdle) return enterAtPrompt({ ...shell, phase: 'prompt' }, { now, ...at })
  return stay({ ...shell, run: { ...run, awaits: { ...run.awaits, idle: answered.idle } } })
}

/** The shell looks as at its prompt, though no mark says so. */
function hearBack(shell: Shell, probe: Probe | null, { now, head }: Moment): Step<Shell> {
  const { run, track } = shell
  if (run === null || track === null) return stay(shell)
  const again: Shell & { run: Run } = { ...shell, run: { ...run, idle: startIdle(now) } }
  const replaced = probe?.replaced ?? null
  if (needOfShell(run, track, { name: 'bash', replaced }) !== null) return stay(again)
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

/** The kernel said whether another shell reads in the place of this one. */
export function hearExec(shell: Shell, probe: Probe | null, { now }: Moment): Step<Shell> {
  if (shell.execs === null) return stay(shell)
  const looks = looksIdle(probe, false)
  const { idle, isIdle } = answerIdle(shell.execs, { looksIdle: looks, isLikely: false, now })
  if (!isIdle) return stay({ ...shell, execs: idle })
  const over = { ...shell, execs: null }
  return probe?.replaced === 'shell' ? adoptReplaced(over) : stay(over)
}
