import type { By } from '../protocol/by.ts'
import type { Event } from '../protocol/event.ts'
import type { Drive, Interrupt } from '../protocol/intent.ts'
import type { At, Seq } from '../protocol/seq.ts'
import { evolve } from '../log/evolve.ts'
import type { SessionState } from '../log/state.ts'

/** What an intent or a report arrives in: when, one random id, by whom. The core has no clock. */
export interface Envelope<Body> {
  at: At
  uuid: string
  by: By
  body: Body
  /** Where the byte log of the terminal ends. */
  ptyAt?: number
}

type Unstamped<E> = E extends Event ? Omit<E, 'v' | 'seq' | 'at' | 'by'> : never
/** An event before it has its place, time and author. */
export type NewEvent = Unstamped<Event>

/** What is to happen at once and leaves no event: it concerns only what is live. */
export interface Wish {
  signal?: Interrupt['signal']
  /** Who has the keyboard now. */
  driver?: Drive['driver']
  /** The run in the terminal has no limit of silence any more. */
  keep?: true
}

/** Collects the events of one append; each is folded at once, so that the next can refer to it. */
export interface Append {
  readonly state: SessionState
  readonly events: readonly Event[]
  readonly ptyAt: number
  add(event: NewEvent, by?: By): Seq
  /** A fresh random id; several from one envelope differ. */
  id(): string
  readonly wish: Wish
}

export const system: By = { kind: 'system' }

export function openAppend(start: SessionState, envelope: Envelope<unknown>): Append {
  const events: Event[] = []
  let state = start
  let ids = 0
  return {
    get state() {
      return state
    },
    events,
    ptyAt: envelope.ptyAt ?? 0,
    wish: {},
    add(event, by = envelope.by) {
      const seq = state.head + 1
      const stamped: Event = { v: 1, seq, at: envelope.at, by, ...event }
      events.push(stamped)
      state = evolve(state, stamped)
      return seq
    },
    id() {
      return vary(envelope.uuid, ids++)
    },
  }
}

/** The uuid with its last four digits moved on by `n`. */
function vary(uuid: string, n: number): string {
  const tail = (Number.parseInt(uuid.slice(-4), 16) + n) % 0x10000
  return uuid.slice(0, -4) + tail.toString(16).padStart(4, '0')
}
