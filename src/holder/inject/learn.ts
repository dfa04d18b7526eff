import type { Heard, InjectionState } from './state.ts'

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
