import type { Check, Heard, InjectionState, Litter, Step } from './state.ts'
import { settle, soon } from './unanswered.ts'

/** A shell around that has not said a word by then may never do so. */
const silentMs = 5_000

export const later = (now: number): Check => ({ at: now + silentMs, hasRead: false })

/**
 * A shell that leaves may not have read the keys of a command: they come to stand in the line of the shell around it.
 * Nobody else's keys follow before that shell has read them all, was asked for a new line, and has drawn it.
 */
export function hearLitter({ state, effects }: Step, mark: Heard & { type: 'mark' }): Step {
  const { litter, shell } = state
  const { kind, fields, now } = mark
  // That a shell inside has left is the holder's own word.
  if (litter === null || kind === 'L') return { state, effects }
  const isPrompt = kind === 'B' && Number(fields[1]) === shell.pid
  if (!isPrompt)
    return litter.at === 'unread'
      ? { state: { ...state, litter: { at: 'coming', check: later(now) } }, effects }
      : { state, effects }
  if (litter.at === 'standing') return { state, effects }
  if (litter.at !== 'leaving')
    return { state: { ...state, litter: { at: 'standing', check: soon(now) } }, effects }
  const settled = settle({ ...state, litter: null })
  return { state: settled.state, effects: [...effects, ...settled.effects] }
}

/** A Ctrl+C while it still reads our keys would end something else than the line that they stand in. */
export function lookAtLitter(
  state: InjectionState,
  litter: Litter,
  { reads, now }: Heard & { type: 'looked' },
): Step {
  const isReading = reads === true
  const isSilent = litter.at === 'unread' || litter.at === 'coming'
  // A Ctrl+C could end a program there; the next command has the line cleared if its key is not answered.
  if (isSilent && reads === null) return settle({ ...state, litter: null })
  if (isSilent && !isReading)
    return { state: { ...state, litter: { ...litter, check: later(now) } }, effects: [] }
  if (reads !== null && !(isReading && litter.check.hasRead)) {
    const again = { ...litter, check: soon(now, isReading) }
    return { state: { ...state, litter: again }, effects: [] }
  }
  if (litter.at === 'leaving') return settle({ ...state, litter: null })
  return {
    state: { ...state, litter: { at: 'leaving', check: soon(now) } },
    effects: [{ type: 'press', key: 'interrupt' }],
  }
}
