import type { Incoming, Moment, Mark } from '../incoming.ts'
import type { Shell } from '../state.ts'
import { act, andThen, inRun, type Step, stay } from '../shells.ts'
import { startIdle, watchIdle } from '../time/deadlines.ts'
import { interruptKey } from '../effect.ts'
import { press } from '../time/press.ts'
import { stopRun } from '../time/stop.ts'
import { changeAround, integrate, reportAdopted } from './adopted.ts'
import { beginRun, finishRun, newRun, notRun, refuseRun, type Run, type RunOrder } from './run.ts'
import { isFinished, mustBreakOff, startTrack, trackMark } from './track.ts'
import { reportTyped, typingHears } from './typing.ts'

/** A prompt may ask the network while it is drawn; longer than this it hangs, and is interrupted. */
export const hangMs = 10_000
/** After Ctrl+C on a line that could not be entered, the prompt comes back at once if it ever does. */
const cleanMs = 1000
const whatHelps = '/adopt tries again; a restart gives a new shell'

/** Hears a mark of this shell's own; or of one inside it that was adopted or has left. */
export function shellHears(shell: Shell, mark: Mark, moment: Moment): Step<Shell> {
  const evolved = mark.level === shell.level ? watchExec(evolve(shell, mark), mark, moment) : shell
  const typed = mayBeTyped(evolved, mark) ? typingHears(evolved, mark) : stay(evolved)
  const reported = typed.state.isReported ? typed : andThen(typed, reportAdopted)
  const followed = andThen(reported, (state) => follow(state, mark, moment))
  return andThen(followed, (state) => enterAtPrompt(state, moment))
}

function evolve(shell: Shell, mark: Mark): Shell {
  switch (mark.kind) {
    case 'integrated':
      return integrate(shell, mark)
    case 'loaded':
      return { ...shell, isInjected: true }
    case 'output-start':
      return { ...shell, phase: 'running', saysStart: true }
    case 'prompt':
      if (mark.pid !== shell.pid) return shell
      return { ...shell, phase: 'prompt', isUnheard: false, isMute: false, nextLine: mark.line }
    case 'output-end':
      return mark.pid === shell.pid ? ended(shell, mark.cwd) : shell
    case 'prompt-start':
    case 'continuation':
    case 'left':
      return shell
    default:
      return mark satisfies never
  }
}

/** An empty line is read and has an end, but the prompt was there; and a first prompt ends nothing. */
function ended(shell: Shell, cwd: string | null): Shell {
  const phase = shell.phase === 'running' ? 'returning' : shell.phase
  return { ...shell, phase, cwd: cwd ?? shell.cwd, isInjected: false }
}

/** A typed command may become another shell; only the kernel tells when that reads. */
function watchExec(shell: Shell, mark: Mark, { now }: Moment): Shell {
  if (mark.kind === 'output-start' && /\bexec\b/.test(mark.typed?.text ?? ''))
    return { ...shell, execs: startIdle(now) }
  const isOver = mark.kind === 'prompt' || mark.kind === 'output-end'
  return isOver && shell.execs !== null ? { ...shell, execs: null } : shell
}

/** Nobody typed a command that was brought in; but what was typed before may still be open. */
function mayBeTyped({ typing, isInjected }: Shell, mark: Mark): boolean {
  return typing.open !== null || typing.isUnsure || (mark.kind === 'output-start' && !isInjected)
}

/** Follows the command that was loaded last, and the run that it is, if somebody here ordered it. */
function follow(shell: Shell, mark: Mark, moment: Moment): Step<Shell> {
  const { run } = shell
  const isAnothers = mark.kind === 'loaded' && mark.id !== shell.track?.id && run === null
  const before = isAnothers ? startTrack(mark.id, shell.pid) : shell.track
  if (before === null) return stay(shell)
  const track = trackMark(before, mark)
  if (run === null || run.awaits !== null) return stay({ ...shell, track })
  const watched: Shell = { ...shell, track, run: watchIdle(run, track, moment.now) }
  const loaded = before.loaded === null ? stopLate(watched, moment) : stay(watched)
  const isOther = track.isAround !== before.isAround
  const around = isOther ? andThen(loaded, (state) => changeAround(state, moment)) : loaded
  const begun = before.from === null ? andThen(around, (state) => begin(state, moment)) : around
  return andThen(begun, (state) => end(state, mark, mustBreakOff(before, mark)))
}

/** It was to be taken back, and the shell was first. */
function stopLate(shell: Shell, moment: Moment): Step<Shell> {
  const takenBack = shell.run?.takenBack ?? null
  if (takenBack === null || shell.track?.loaded === null) return stay(shell)
  return takenBack === 'stop' ? stopRun(shell, moment) : press(shell, moment)
}

function begin(shell: Shell, { now }: Moment): Step<Shell> {
  if (shell.track?.from === null) return stay(shell)
  return inRun(shell, (run) => beginRun(run, { shell, now }))
}

function end(shell: Shell, mark: Mark, breaksOff: boolean): Step<Shell> {
  const { run, track } = shell
  if (run === null || track === null) return stay(shell)
  const step = breaksOff ? act(shell, { type: 'type', text: interruptKey }) : stay(shell)
  if (isFinished(track, run.isOneLine))
    return andThen(step, (state) => finishRun(state, track.to?.offset ?? mark.offset))
  const { failed } = run
  if (failed === null || mark.kind !== 'prompt') return step
  return andThen(step, (state) => finishRun(state, { type: 'unstarted', ...failed }))
}

/** Takes an order: at the prompt without a pause, else when that is there. */
export function orderRun(shell: Shell, order: RunOrder, moment: Moment): Step<Shell> {
  const { now, head } = moment
  const why = reasonNotToRun(shell)
  if (why !== null) return act(shell, refuseRun(order, shell, { why, head }))
  const awaits = mayHang(shell)
    ? { idle: startIdle(now), hangsAt: now + hangMs, isHung: false }
    : { idle: null, hangsAt: Number.POSITIVE_INFINITY, isHung: false }
  return enterAtPrompt({ ...shell, run: { ...newRun(order, shell, head), awaits } }, moment)
}

export function reasonNotToRun({ run, phase, replaced }: Shell): string | null {
  if (replaced?.phase === 'failed')
    return `another shell has taken its place, and was not adopted. ${replaced.why} ${whatHelps}`
  return run !== null || phase === 'running' ? 'the terminal is busy' : null
}

/** A start file may take as long as it likes, and an adoption as long as it has to. */
function mayHang({ phase, replaced }: Shell): boolean {
  return phase !== 'starting' && replaced === null
}

/** Brings the awaiting command in, if the prompt is there and the shell is still the one it is meant for. */
export function enterAtPrompt(shell: Shell, moment: Moment): Step<Shell> {
  const { run, phase, replaced } = shell
  if (run === null || run.awaits === null || phase !== 'prompt') return stay(shell)
  if (replaced !== null) return stay(shell)
  const { stamp, id } = run.order
  if (stamp !== null && stamp !== moment.stamp) {
    const moved = notRun('the shell is not as it was when this was allowed')
    return finishRun(shell, { ...moved, isMoved: true })
  }
  const entered: Run = { ...run, awaits: null, isUnwanted: false, enteredAt: moment.head }
  const { level, name, isByKeys } = shell
  const step = act<Shell>(
    { ...shell, run: entered, track: startTrack(id, shell.pid), last: null },
    { type: 'inject', level, name, isByKeys, run: entered },
  )
  return run.isUnwanted ? andThen(step, (state) => press(state, moment)) : step
}

/** The shell does not read: the command waits for that. */
export function hearLate(shell: Shell): Step<Shell> {
  const { run, track } = shell
  if (run === null || track === null || track.loaded !== null) return stay(shell)
  const late: Shell = { ...shell, run: { ...run, isLate: true } }
  return act(late, { type: 'status', run: run.order.id, status: 'shell' })
}

/** A command of ours did not reach the line editor, and none of it may stay there. */
export function hearUninjected(
  shell: Shell,
  { id, reason, isUnheard, isMoved, isWithdrawn, now }: Incoming & { type: 'uninjected' },
): Step<Shell> {
  const heard = isUnheard ? { ...shell, isUnheard } : shell
  if (shell.run?.order.id !== id) return stay(heard)
  // Nothing was entered, so nothing has to be cleared.
  if (isMoved || isWithdrawn)
    return andThen(finishRun(heard, { ...notRun(reason), isMoved }), reportTyped)
  const failed = { why: notRun(reason).why, isMoved, until: now + cleanMs }
  const next = { ...heard, run: { ...shell.run, failed } }
  return act(next, { type: 'type', text: interruptKey })
}
