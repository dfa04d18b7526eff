import type { Effect } from './effect.ts'
import { type Idle, startIdle, stirIdle } from './idle.ts'
import type { Ladder } from './ladder.ts'
import { type Limit, type LimitNews, keepLimit, startLimit, stirLimit } from './limit.ts'
import type { Need } from './reads-itself.ts'
import type { Exit, Shell } from './state.ts'
import type { Track } from './track.ts'

/** A command for the shell, as somebody ordered it. */
export interface RunOrder {
  readonly id: string
  readonly command: string
  readonly by: 'person' | 'model'
  readonly isPrivate: boolean
  /** 0 = none. A model's run may last this long; a person's may be silent this long. */
  readonly timeoutMs: number
  /** It runs only at this stamp; null: wherever the shell is. */
  readonly stamp: number | null
}

/** An ordered command, from the order to its end. */
export interface Run {
  readonly order: RunOrder
  /** One line, whose end is the run's end. */
  readonly isOneLine: boolean
  /** The last command's end was said before the prompt: this one waits for that. */
  readonly awaits: {
    readonly idle: Idle | null
    readonly hangsAt: number
    readonly isHung: boolean
  } | null
  /** Where the stream was when the command went in. */
  readonly enteredAt: number
  /** It is stopped as soon as it has begun. */
  readonly isUnwanted: boolean
  readonly idle: Idle | null
  readonly limit: Limit | null
  readonly ladder: Ladder | null
  /** How far one had to go to stop it. */
  readonly stopped: 'int' | 'term' | 'kill' | null
  /** The shell does not read: it waits for that. */
  readonly isLate: boolean
  /** It is taken back, if the shell has not taken it yet; else it is stopped, or interrupted, when it is there. */
  readonly takenBack: 'stop' | 'press' | null
  /** A person took the keyboard from the model whose run it is. */
  readonly isTaken: boolean
  readonly need: Need
  /** How often an incomplete line was broken off. */
  readonly breaks: number
  /** It did not reach the line editor; the line is being cleared until then. */
  readonly failed: {
    readonly why: string
    readonly isMoved: boolean
    readonly until: number
  } | null
}

/** How a run ended. */
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
  // What the hooks of a prompt print after a private one is hidden with it. fish marks an end before it exits, too.
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
    breaks: 0,
    failed: null,
  }
}

export interface RunStep {
  run: Run
  effects: readonly Effect[]
}

/** Its output begins. */
export function begin(
  run: Run,
  { shell, usedMs, now }: { shell: Shell; usedMs: number; now: number },
): RunStep {
  const { id, by, timeoutMs } = run.order
  // Whether it waits for a person cannot be seen on another machine; a shell was inside, and may take its time.
  const isForgiven = shell.track?.adoptedAt !== null || (!shell.isSeen && by === 'person')
  const limit = startLimit(by === 'model' ? 'duration' : 'silence', {
    ms: isForgiven ? 0 : timeoutMs,
    usedMs,
    now,
  })
  return {
    run: { ...run, limit },
    effects: [
      { type: 'status', run: id, status: 'running' },
      { type: 'watch', run: id },
    ],
  }
}

/** A shell in it was adopted: what is printed and what it waits for is that one's; until it ends. */
export function pauseAround(run: Run): RunStep {
  const { id } = run.order
  return {
    run: { ...run, limit: null, idle: null, need: null },
    effects: [
      { type: 'unwatch', run: id },
      { type: 'status', run: id, status: 'running' },
    ],
  }
}

/** From loading on, the prompt must come back; before, the shell is rightly idle. */
export function watchIdle(run: Run, track: Track, now: number): Run {
  if (track.loaded === null || track.isAround) return run
  return { ...run, idle: run.idle === null ? startIdle(now) : stirIdle(run.idle, now) }
}

/** It printed, or somebody typed. */
export function stirRun(run: Run, now: number, isOutput: boolean): RunStep {
  const idle = isOutput && run.idle !== null ? stirIdle(run.idle, now) : run.idle
  if (run.limit === null) return { run: idle === run.idle ? run : { ...run, idle }, effects: [] }
  const { limit, news } = stirLimit(run.limit, now)
  return { run: { ...run, idle, limit }, effects: limitEffects(run, news) }
}

export function keepRun(run: Run): RunStep {
  if (run.limit === null) return { run, effects: [] }
  const { limit, news } = keepLimit(run.limit)
  return { run: { ...run, limit }, effects: limitEffects(run, news) }
}

export function limitEffects({ order: { id } }: Run, news: LimitNews | null): readonly Effect[] {
  if (news === null) return []
  if (news.type === 'asks') return [{ type: 'measure', run: id }]
  if (news.type === 'reached') return [{ type: 'timeout', run: id }]
  if (news.type === 'far') return [{ type: 'status', run: id, status: 'running' }]
  return [{ type: 'status', run: id, status: 'ending', leftMs: news.leftMs }]
}
