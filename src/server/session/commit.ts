import type { Event } from '../../protocol/events/event.ts'
import type { IntentKey, SessionId } from '../../protocol/events/seq.ts'
import { evolve } from '../../log/evolve.ts'
import { foldVersion, type SessionState } from '../../log/state.ts'
import type { Live } from './live.ts'
import type { MeasuredRequests } from './measured-requests.ts'
import type { Publisher } from './publish.ts'
import type { Beginning, EventStore, Snapshot } from '../store/store.ts'

export interface CommitDeps {
  id: SessionId
  store: EventStore
  requests: MeasuredRequests
  live: Live
  publisher: Publisher
}

export interface Batch {
  before: SessionState
  events: readonly Event[]
  key?: IntentKey | undefined
  /** With a key: a hash of what was asked. */
  body?: string | undefined
  begins?: Beginning | undefined
}

/** So that opening a long session folds at most this many events. */
const snapshotEvery = 500

/** Measures requests, stores the events in one append, and only then tells anyone. */
export function createCommit(deps: CommitDeps): (batch: Batch) => Promise<void> {
  /** A session of commands only never needs a conversation. */
  let hasConversation = false
  return async ({ before, events, key, body, begins }) => {
    hasConversation ||= events.some((event) => event.type === 'step_start')
    let measured = events
    try {
      if (hasConversation) measured = await deps.requests.follow(events)
      const appended = await deps.store.append(deps.id, before.head, {
        events: measured,
        key,
        body,
        snapshot: snapshotAfter(before, measured),
        clearDraft: measured.some((event) => event.type === 'step_end'),
        live: isLive(measured.reduce(evolve, before)),
        begins,
      })
      if (appended.outcome !== 'stored')
        throw new Error(`session ${deps.id} has another writer: append was ${appended.outcome}`)
    } catch (error) {
      // The measured request did not happen.
      deps.requests.forget()
      hasConversation = false
      throw error
    }
    for (const event of measured) deps.live.close(event)
    deps.publisher.events(measured)
  }
}

/** Something began that an event has yet to close. */
export function hasOpen({ turn, step, calls, runs }: SessionState): boolean {
  return turn !== null || step !== null || calls.length > 0 || runs.length > 0
}

/** It has a shell, or something is under way. */
export function isLive(state: SessionState): boolean {
  return state.shell.phase === 'live' || state.summary !== null || hasOpen(state)
}

function snapshotAfter(before: SessionState, events: readonly Event[]): Snapshot | undefined {
  const seq = before.head + events.length
  if (Math.floor(seq / snapshotEvery) === Math.floor(before.head / snapshotEvery)) return undefined
  const state = events.reduce(evolve, before)
  return { seq, foldVersion, state: JSON.stringify(state) }
}
