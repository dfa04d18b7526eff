import { act, type Effect, type Step, stay, andThen } from './effect.ts'
import { startIdle } from './idle.ts'
import { startLadder } from './ladder.ts'
import { type Press, startPress } from './press.ts'
import { newRun, type RunOrder, type Run, type Verdict } from './run.ts'
import type { Moment } from './shell.ts'
import type { Exit, Shell } from './state.ts'
import { isFinished, isLikelyOver, startTrack } from './track.ts'

/** What draws a prompt may ask the network; longer than this it hangs, and is interrupted. */
export const hangMs = 10_000
const noFirstPrompt = 'it was stopped before the shell showed a prompt'
const whatHelps = '/adopt tries again; a restart gives a new shell'
const noPrompt = 'the prompt before it did not come back, or it was stopped'
const [interruptKey, quitKey] = ['\x03', '\x1c']

/** Takes an order: at the prompt without a pause, else when that is there. */
export function orderRun(shell: Shell, order: RunOrder, moment: Moment): Step<Shell> {
  const no = reasonNotToRun(shell)
  const run = newRun(order, shell, moment.head)
  if (no !== null)
    return act(shell, { type: 'ended', level: shell.level, run, track: null, verdict: notRun(no) })
  const { now } = moment
  const awaits = mayHang(shell)
    ? { idle: startIdle(now), hangsAt: now + hangMs, isHung: false }
    : { idle: null, hangsAt: Number.POSITIVE_INFINITY, isHung: false }
  return enterAtPrompt({ ...shell, run: { ...run, awaits } }, moment)
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

export function notRun(why: string): Verdict & { type: 'unstarted' } {
  return { type: 'unstarted', why: `The command was not run: ${why}.`, isMoved: false }
}

/** Brings the awaiting command in, if the prompt is there and the shell is still the one it is meant for. */
export function enterAtPrompt(shell: Shell, moment: Moment): Step<Shell> {
  const { run, phase } = shell
  if (run === null || run.awaits === null || phase !== 'prompt') return stay(shell)
  if (shell.replaced !== null) return stay(shell)
  const { stamp, id } = run.order
  if (stamp !== null && stamp !== moment.stamp)
    return finishRun(shell, {
      ...notRun('the shell is not as it was when this was allowed'),
      isMoved: true,
    })
  const entered: Run = { ...run, awaits: null, isUnwanted: false, enteredAt: moment.head }
  const { level, name, isByKeys } = shell
  const step = act<Shell>(
    { ...shell, run: entered, track: startTrack(id, shell.pid), last: null },
    { type: 'inject', level, name, isByKeys, run: entered },
  )
  return run.isUnwanted ? andThen(step, (state) => press(state, moment)) : step
}

/** Ctrl+C for what runs in it. One that still waits for the prompt is stopped as soon as it has begun. */
export function press(
  shell: Shell,
  { now }: Pick<Moment, 'now'>,
  { times = 1, climbs = false }: Partial<Pick<Press, 'times' | 'climbs'>> = {},
): Step<Shell> {
  const { run, level } = shell
  if (run !== null && isOnItsWay(shell)) return pressEarly({ ...shell, run })
  const type: Effect = { type: 'type', text: interruptKey }
  const of = pressedFor(shell)
  // What carries the terminal elsewhere must not get a signal; the key is all that reaches what runs there.
  if (!shell.isSeen || of === null) return act(shell, type)
  const pressed = { ...shell, press: startPress(of, now, { times, climbs }) }
  return act(pressed, { type: 'probe', level, why: 'press' }, type)
}

/** It waits for the prompt, or for a shell that does not read. */
function isOnItsWay({ run, track }: Shell): boolean {
  if (run === null) return false
  return run.awaits !== null || (run.isLate && track?.loaded === null)
}

function pressEarly(shell: Shell & { run: Run }): Step<Shell> {
  const { run } = shell
  if (run.awaits === null) return takeBack(shell, 'press')
  // Nothing runs while a command waits for the first prompt: what is meant is the waiting.
  if (shell.phase === 'starting') return finishRun(shell, notRun(noFirstPrompt))
  return stay({ ...shell, run: { ...run, isUnwanted: true } })
}

/** The shell has not taken it; if it is too late for that, the shell says so, and it is stopped then. */
function takeBack(
  shell: Shell & { run: Run },
  takenBack: NonNullable<Run['takenBack']>,
): Step<Shell> {
  const run: Run = { ...shell.run, takenBack }
  return act<Shell>({ ...shell, run }, { type: 'withdraw', run: run.order.id })
}

/** A signal for what runs; a key where none can be sent. */
export function signalTo({ isSeen }: Shell, signal: 'int' | 'term' | 'kill'): Effect {
  if (isSeen) return { type: 'signal', signal }
  return { type: 'type', text: signal === 'kill' ? quitKey : interruptKey }
}

/** What goes on in the shell, whoever began it. */
export function pressedFor({ run, typing }: Shell): string | null {
  return run?.order.id ?? (typing.open === null ? null : String(typing.open.from.offset))
}

/** Whoever ordered it wants it to end: one that has not begun does not run, others are stopped step by step. */
export function stopRun(shell: Shell, moment: Pick<Moment, 'now'>): Step<Shell> {
  const { run, track } = shell
  if (run === null || run.ladder !== null) return stay(shell)
  if (run.awaits !== null)
    return finishRun(shell, notRun(shell.phase === 'starting' ? noFirstPrompt : noPrompt))
  if (track?.loaded === null) return takeBack({ ...shell, run }, 'stop')
  const ladder = startLadder(moment.now)
  const stopped: Shell = { ...shell, run: { ...run, ladder, stopped: 'int' } }
  const { id } = run.order
  return andThen(act(stopped, { type: 'status', run: id, status: 'stopping' }), (state) =>
    press(state, moment),
  )
}

export function giveUpAwaiting(shell: Shell): Step<Shell> {
  return finishRun(shell, notRun(noPrompt))
}

/** Ends the run: where its output ends, or how else. */
export function finishRun(shell: Shell, how: Verdict | number): Step<Shell> {
  const { run, track, level } = shell
  if (run === null) return stay(shell)
  const verdict = typeof how === 'number' ? verdictAt(shell, how) : how
  const isEnded = verdict.type === 'executed' || verdict.type === 'unexecuted'
  const ofRun = run.awaits === null ? track : null
  const seq = (ofRun?.to ?? ofRun?.from)?.seq ?? null
  const after: Shell = {
    ...shell,
    run: null,
    press: null,
    climb: null,
    last: { id: run.order.id, seq },
    ...(isEnded && afterEnd(shell, run)),
  }
  return act(after, { type: 'ended', level, run, track: ofRun, verdict })
}

function verdictAt({ track }: Shell, to: number): Verdict {
  if (track === null || track.from === null) return { type: 'unexecuted' }
  return { type: 'executed', from: track.from.offset, to: track.adoptedAt ?? to }
}

/** The prompt is there, unless a single line ended before it; the kernel may have told it instead of the shell. */
function afterEnd({ track, phase }: Shell, run: Run): Pick<Shell, 'phase' | 'isMute'> {
  const isMute = track === null || !isLikelyOver(track)
  const isEarly = track !== null && isFinished(track, run.isOneLine) && !track.isBack
  return { phase: isEarly && phase !== 'prompt' ? 'answered' : 'prompt', isMute }
}

/** The shell is gone, and what ran in it with it. */
export function endWithShell(shell: Shell, exit: Exit): Step<Shell> {
  const { run, track } = shell
  if (run === null) return stay(shell)
  if (run.awaits !== null) return finishRun(shell, notRun('the shell has ended'))
  if (track === null || track.from === null) {
    const why = 'The shell ended before the command could be entered.'
    return finishRun(shell, { type: 'unstarted', why, isMoved: false })
  }
  return finishRun(shell, { type: 'with-shell', from: track.from.offset, exit })
}

export function loseRun(shell: Shell): Step<Shell> {
  if (shell.run === null) return stay(shell)
  if (shell.run.awaits !== null) return finishRun(shell, notRun('the shell has ended'))
  return finishRun(shell, { type: 'lost', why: 'The connection to the shell was lost.' })
}
