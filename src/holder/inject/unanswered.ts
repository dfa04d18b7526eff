import type { Uninjected } from '../../protocol/holder/holder.ts'
import { isTypable } from './paste.ts'
import { wakesAt } from './select.ts'
import type { Check, Effect, Heard, InjectionState, Next, Phase, Step, Told } from './state.ts'

/** A line editor answers within a millisecond; a machine that swaps may take this long. */
export const ackMs = 2000
/** Keys that a program left unread are typed at the prompt, and one of them may begin a search. */
export const firstAckMs = 1000
/** The last command had to be pasted: the keys are likely still unknown. */
export const deafAckMs = 250
/** After the prompt, a line editor says how it wants pastes. */
export const settleMs = 50
/** Between two looks at a shell that did not answer. */
const lookMs = 100

const untaken = { reason: 'the shell did not take it' }
const moved = { reason: 'the shell is not as it was when this was allowed', isMoved: true }
const unheard = { reason: 'the shell does not answer', isUnheard: true }

const stay = (state: InjectionState): Step => ({ state, effects: [] })
const act = (state: InjectionState, ...effects: Effect[]): Step => ({ state, effects })
const tell = (told: Told): Effect => ({ type: 'tell', told })
export const soon = (now: number, hasRead = false): Check => ({ at: now + lookMs, hasRead })

type Reason = Omit<Uninjected, 'id'>

/** An order that is not taken at all. */
export function refuse(state: InjectionState, id: string, reason: Reason): Step {
  return act(state, tell({ type: 'uninjected', uninjected: { id, ...reason } }))
}

/** Not run, and told so: nothing of it is accepted from now on. */
export function giveUp(given: InjectionState, reason: Reason, now: number): Step {
  // Only a shell that knows the keys will answer them.
  const isKnown = reason.isWithdrawn === true || reason.isMoved === true
  const unanswered = isKnown ? given.unanswered : 0
  const { state, effects } =
    unanswered > 0 ? stay({ ...given, phase: { at: 'idle', check: soon(now) } }) : comeToRest(given)
  return act(
    state,
    // A person's keys may follow at once, so the key that clears their line is the first.
    ...effects,
    // A load key that is still unread finds nothing to load.
    { type: 'scrub' },
    tell({ type: 'uninjected', uninjected: { id: given.pending.id, ...reason } }),
  )
}

/**
 * Nothing is on its way, and no load key is unread. Only now a command that was given up is taken out of the line: a
 * load key before the restore key could find the next command, and that would be taken away.
 */
export function comeToRest(state: InjectionState): Step {
  const rested: InjectionState = {
    ...state,
    phase: { at: 'idle', check: null },
    unanswered: 0,
    isStray: false,
  }
  return state.isStray ? act(rested, { type: 'press', key: 'restore' }) : stay(rested)
}

export function hearTime(state: InjectionState, now: number): Step {
  const { phase } = state
  if (wakesAt(state) > now) return stay(state)
  if (phase.at === 'pasting') return paste(state, phase, now)
  if (phase.at === 'accepted' && phase.pasted !== null) return giveUp(state, untaken, now)
  return act(state, { type: 'look' })
}

/**
 * Time is up. A shell that does not read has not seen our key, and will when it reads again: it is waited for, for a
 * Ctrl+C would take the person's line away. One that reads, and still does a moment later, does not know the key.
 */
export function hearLook(state: InjectionState, { reads, now }: Heard & { type: 'looked' }): Step {
  const { phase } = state
  if (phase.check === null) return stay(state)
  const isReading = reads === true && phase.check.hasRead
  const isDeaf = isReading || reads === null
  switch (phase.at) {
    case 'idle':
      return isDeaf ? settle(state) : lookAgain(state, reads, now)
    case 'loading':
      return isDeaf ? clear(state, phase.next, now) : waitFor(state, reads, now)
    case 'clearing':
      if (!isDeaf) return waitFor(state, reads, now)
      return phase.next === 'load' ? clear(state, 'paste', now) : giveUp(state, unheard, now)
    case 'accepted':
      // A shell that reads again, and has not said that it began, did not take the line: something was in its way.
      if (isReading) return giveUp({ ...state, isStray: true }, untaken, now)
      return lookAgain(state, reads, now)
    case 'pasting':
      return stay(state)
    default:
      return phase satisfies never
  }
}

/** The keys of a command that was taken back are dealt with. */
export function settle(state: InjectionState): Step {
  const { state: rested, effects } = comeToRest(state)
  return act(rested, ...effects, tell({ type: 'settled' }))
}

function lookAgain(state: InjectionState, reads: boolean | null, now: number): Step {
  return stay({ ...state, phase: { ...state.phase, check: soon(now, reads === true) } })
}

function waitFor(state: InjectionState, reads: boolean | null, now: number): Step {
  const { state: waiting } = lookAgain(state, reads, now)
  const { pending } = state
  if (reads === true || pending.isLate) return stay(waiting)
  const late = { ...waiting, pending: { ...pending, isLate: true } }
  return act(late, tell({ type: 'late', id: pending.id }))
}

function clear(state: InjectionState, next: Next, now: number): Step {
  const { pending, shell } = state
  const ms = next === 'load' ? firstAckMs : ackMs
  const check = { at: now + ms * shell.patience, hasRead: false }
  const { alwaysBrackets: isBracketed } = shell
  return act(
    { ...state, phase: { at: 'clearing', id: pending.id, check, next, isBracketed } },
    { type: 'press', key: next === 'load' ? 'interrupt' : 'fresh' },
  )
}

function paste(state: InjectionState, phase: Phase & { at: 'pasting' }, now: number): Step {
  const { pending, shell, place, known } = state
  const { id, command, attempt, stamp } = pending
  if (stamp !== null && stamp !== place.stamp) return giveUp(state, moved, now)
  const isSourced = pending.asFile || !isTypable(command)
  if (isSourced && !shell.takesFiles) return giveUp(state, untaken, now)
  const check = { at: now + ackMs * shell.patience, hasRead: false }
  return act(
    {
      ...state,
      known: { ...known, isDeaf: true },
      phase: { at: 'accepted', check, restore: false, stage: 'handed', pasted: id },
    },
    { type: 'paste', command, isSourced, isBracketed: phase.isBracketed },
    tell({ type: 'pasted', id, attempt }),
  )
}
