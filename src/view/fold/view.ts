import { initialState, type SessionState } from '../../log/state.ts'
import type { TerminalUpdate } from '../../protocol/stream/delta.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import type { TurnEnd, Usage, Witness } from '../../protocol/events/turn.ts'
import { noEntries, type EntryList } from './entry-list.ts'

/** How the last turn ended. */
export interface EndedTurn {
  turn: number
  reason: TurnEnd
  steps: number
  usage: Usage
  /** US dollars; null where not every price is known. */
  usd: number | null
}

/** The last request that was answered, and how much of it had been sent before. */
export interface SentRequest {
  step: Seq
  bytes: number
  /** Null while the reply is outstanding. */
  witness: Witness | null
}

/** All that a UI draws: a pure fold of a session's events and deltas. */
export interface View {
  /** The fold that both sides share: settings, and what is open. */
  state: SessionState
  entries: EntryList
  /** Live only; null until the server has said something. */
  terminal: TerminalUpdate | null
  lastTurn: EndedTurn | null
  lastRequest: SentRequest | null
}

export const emptyView: View = {
  state: initialState,
  entries: noEntries,
  terminal: null,
  lastTurn: null,
  lastRequest: null,
}

/** The event of one type, for functions that fold just that one. */
export type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>

/** The fields that every entry takes from the event that introduces it. */
export function placed(event: Event): Pick<Event, 'seq' | 'at' | 'by'> {
  return { seq: event.seq, at: event.at, by: event.by }
}
