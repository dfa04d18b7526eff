import type { Effect } from '../effect.ts'
import type { Exit, Shell } from '../state.ts'
import { act, type Step, stay } from '../shells.ts'
import { type Idle, type Ladder, type Limit, startLimit } from '../time/deadlines.ts'
import type { Need } from './needs.ts'
import { isFinished, isLikelyOver } from './track.ts'

/** A command for the shell, as somebody ordered it. */
export interface RunOrder {
  readonly id: string
  readonly command: string
  readonly by: 'person' | 'model'
  readonly isPrivate: boolean
  /** 0 = none. A model's run may last this long; a person's may be silent this long. */
  readonly timeoutMs: number
  /** The only stamp it may run at; null: any. */
  readonly stamp: number | null
}

/** An ordered command, from the order to its end. */
export interface Run {
  readonly order: RunOrder
  /** The command is one line, whose end is the run's end. */
  readonly isOneLine: boolean
  /** The run waits for the prompt: the last command's end was reported before it. */
  readonly awaits: {
    readonly idle: Idle | null
    readonly hangsAt: number
    readonly isHung: boolean
  } | null
  /** The stream's end when the command went in. */
  readonly enteredAt: number
  /** It is stopped as soon as it has begun. */
  readonly isUnwanted: boolean
  readonly idle: Idle | null
  readonly limit: Limit | null
  readonly ladder: Ladder | null
  /** The strongest means that stopping it took. */
  readonly stopped: 'int' | 'term' | 'kill' | null
  /** The shell does not read, and the run waits for that. */
  readonly isLate: boolean
  /** It is taken back if the shell has not taken it yet; else it is stopped, or interrupted, when it is there. */
  readonly takenBack: 'stop' | 'press' | null
  /** A person took the keyboard from the model whose run it is. */
  readonly isTaken: boolean
  readonly need: Need
  /** The program that reads a secret; null while none does. */
  readonly reader: string | null
  /** The number of times that an incomplete line was broken off. */
  readonly breaks: number
  /** It did not reach the line editor; the line is being cleared until then. */
  readonly failed: {
    readonly why: string
    readonly isMoved: boolean
    readonly until: number
  } | null
}

/** The way a run ended. */
export type Verdict =
  /** No byte of it was executed. `isMoved`: the shell was no longer the one it was meant for. */
  | { type: 'unstarted'; why: string; isMoved: boolean }
  | { type: 'executed'; from: number; to: number }
  /** An empty line, a comment, a syntax error or an unfinished line. */
  | { type: 'unexecuted' }
  | { type: 'with-shell'; from: number; exit: Exit }
  /** Nobody knows what became of it. */
  | { type: 'lost'; why: string }

export function newRun(order: RunOrder, shell: Shell, head: number): Run {
  // Output of the prompt's hooks after a private run is hidden with it. fish marks an end before it exits, too.
  const hasEnd = !order.isPrivate && shell.name !== 'fish'
  return {
    order,
    isOneLine:
      shell.isSeen &&
      hasEnd &&
      shell.integration === 'full' &&
      !order.command.trimEnd().includes('\n'),
    awaits: null,
    enteredAt: head,
    isUnwanted: false,
    idle: null,
    limit: null,
    ladder: null,
    stopped: null,
    isLate: false,
    takenBack: null,
    isTaken: false,
    need: null,
    reader: null,
    breaks: 0,
    failed: null,
  }
}

/** The end of a run that no shell took. */
export function refuseRun(
  order: RunOrder,
  shell: Shell,
  { why, head }: { why: string; head: number },
): Effect {
  const run = newRun(order, shell, head)
  return { type: 'ended', level: shell.level, run, track: null, verdict: notRun(why) }
}

export function notRun(why: string): Verdict & { type: 'unstarted' } {
  return { type: 'unstarted', why: `The command was not run: ${why}.`, isMoved: false }
}

/** The run's output begins, and with it the time that it has. */
export function beginRun(
  run: Run,
  { shell, usedMs = 0, now }: { shell: Shell; usedMs?: number; now: number },
): Step<Run> {
  const { id, by, timeoutMs } = run.order
  // Nobody can see on another machine whether it waits for a person; around an adopted shell it may take its time.
  const isForgiven = shell.track?.adoptedAt !== null || (!shell.isSeen && by === 'person')
  const ms = isForgiven ? 0 : timeoutMs
  const limit = startLimit(by === 'model' ? 'duration' : 'silence', { ms, usedMs, now })
  return act(
    { ...run, limit },
    { type: 'status', run: id, status: 'running' },
    { type: 'watch', run: id },
  )
}

/** Ends the run, by a verdict or at the offset where its output ends. */
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

/** Ends the run of a shell that is gone. */
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
