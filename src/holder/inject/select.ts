import type { Heard, InjectionState, Stage } from './state.ts'

/**
 * - `open`: keys and signals pass.
 * - `shut`: a command is on its way into the shell. They would meet the line editor with the command in it, and at a
 *   Ctrl+C bash runs what is left of the line.
 * - `kept`: a half-typed line was put aside, and comes back at the prompt: keys are for that line, and wait for it.
 * - `spare`: the same while a program runs, which gets them if it reads; or a command waits behind a program.
 */
export type KeysMode = 'open' | 'shut' | 'kept' | 'spare'

export function keysMode(state: InjectionState): KeysMode {
  const { phase, unanswered, isBehind, litter } = state
  // A program that goes on without the shell it started may read them; a line editor has to be rid of ours first.
  if (litter !== null) return litter.at === 'unread' ? 'spare' : 'kept'
  if (phase.at === 'idle' && unanswered === 0) return 'open'
  // A program that reads has read our key, or will before these; one that does not leaves them to the shell.
  if (phase.at !== 'accepted' && isBehind) return 'spare'
  // Keys that a person types wait for the answer; Ctrl+C does not.
  if (phase.at === 'idle') return 'kept'
  if (phase.at !== 'accepted' || phase.stage === 'handed') return 'shut'
  if (!phase.restore) return 'open'
  return phase.stage === 'runs' ? 'spare' : 'kept'
}

/** A load that is not the one waited for: an earlier attempt, a repetition, or a command that was taken back. */
export function isStale(state: InjectionState, kind: string, fields: readonly string[]): boolean {
  const { phase } = state
  if (kind !== 'I') return false
  if (phase.at === 'accepted' && phase.pasted !== null) return fields[0] !== phase.pasted
  return phase.at !== 'loading' || !isNewest(state, fields)
}

export function isNewest({ pending }: InjectionState, fields: readonly string[]): boolean {
  const [id = '', , attempt = ''] = fields
  return id === pending.id && Number(attempt) === pending.attempt
}

/** A mark's fields. The shell knows no name of a pasted command, so its end gets the name here. */
export function named({ phase, known }: InjectionState, kind: string, fields: string[]): string[] {
  if (kind !== 'D' || phase.at !== 'accepted' || phase.pasted === null) return fields
  return fields[2] === known.name ? fields.with(2, phase.pasted) : fields
}

/** True from a command's loading to its execution: prompts drawn meanwhile are no news. */
export function isEntering({ phase }: InjectionState): boolean {
  return phase.at !== 'idle' && !(phase.at === 'accepted' && hasRun(phase.stage))
}

/** The run whose command is not yet accepted. */
export function injecting({ phase }: InjectionState): string | null {
  return 'id' in phase ? phase.id : null
}

/** The stage that a mark of this kind brings an accepted line to; null if it stays where it is. */
export function stageAt({ known }: InjectionState, stage: Stage, kind: string): Stage | null {
  if (kind === 'C') return 'runs'
  if (kind === 'D') return 'over'
  if (stage !== 'handed') return null
  if (kind === 'P') return 'more'
  // A shell that tells neither start nor end shows by redrawing that it has the line, which is accepted already.
  return kind === 'B' && !known.saysStart && !known.saysEnd ? 'runs' : null
}

export function hasRun(stage: Stage): boolean {
  return stage === 'runs' || stage === 'over'
}

/** When the fold wants to be told the time; never, if it waits for nothing. */
export function wakesAt({ phase, litter }: InjectionState): number {
  return (litter?.check ?? phase.check)?.at ?? Number.POSITIVE_INFINITY
}

type Mark = Heard & { type: 'mark' }

/** The shell tells with each mark what it is able to say, and where it stands. */
export function learn(state: InjectionState, mark: Mark): InjectionState {
  const { kind, place } = mark
  const { known } = state
  const isBehind = staysBehind(state, mark)
  const saysStart = known.saysStart || kind === 'C'
  // With its first prompt at the latest.
  const saysEnd = known.saysEnd || kind === 'D'
  // With the line's end nothing stands in it any more.
  const isStray = state.isStray && kind !== 'C' && kind !== 'D'
  const isNew = saysStart !== known.saysStart || saysEnd !== known.saysEnd
  const isAsBefore = isStray === state.isStray && isBehind === state.isBehind
  if (!isNew && isAsBefore && place === state.place) return state
  const learnt = isNew ? { ...known, saysStart, saysEnd } : known
  return { ...state, place, isStray, isBehind, known: learnt }
}

/** A line that is not ours is executed, until its end or the next prompt. */
function staysBehind({ isBehind, phase, shell }: InjectionState, { kind, fields }: Mark): boolean {
  if (kind === 'C') return phase.at !== 'accepted'
  const isOver = kind === 'D' || (kind === 'B' && Number(fields[1]) === shell.pid)
  return isBehind && !isOver
}
