import type { Event } from '../protocol/event.ts'
import type { IntentKey, SessionId } from '../protocol/seq.ts'
import { evolve } from '../log/evolve.ts'
import { foldVersion, type SessionState } from '../log/state.ts'
import type { ConversationKeeper } from './conversation-keeper.ts'
import type { Live } from './live.ts'
import type { Publisher } from './publish.ts'
import type { Beginning, EventStore, Snapshot } from './store/store.ts'

export interface CommitDeps {
  id: SessionId
  store: EventStore
  keeper: ConversationKeeper
  live: Live
  publisher: Publisher
}

export interface Batch {
  before: SessionState
  events: readonly Event[]
  key?: IntentKey | undefined
  begins?: Beginning | undefined
}

/** So that opening a long session folds at most this many events. */
const snapshotEvery = 500

/** Measures requests, stores the events in one append, and only then tells anyone. */
export function createCommit(deps: CommitDeps): (batch: Batch) => Promise<void> {
  return async ({ before, events, key, begins }) => {
    let sealed: readonly Event[] = []
    try {
      sealed = await deps.keeper.seal(events)
      const appended = await deps.store.append(deps.id, before.head, {
        events: sealed,
        key,
        snapshot: snapshotAfter(before, sealed),
        clearDraft: sealed.some((event) => event.type === 'step_end'),
        live: isLive(sealed.reduce(evolve, before)),
        begins,
      })
      if (appended.outcome !== 'stored')
        throw new Error(`session ${deps.id} has another writer: append was ${appended.outcome}`)
    } catch (error) {
      // What was measured did not happen.
      deps.keeper.forget()
      throw error
    }
    for (const event of sealed) deps.live.close(event)
    deps.publisher.events(sealed)
  }
}

/** It has a shell, or something is under way. */
export function isLive({ shell, turn, step, calls, runs, summary }: SessionState): boolean {
  if (shell.phase === 'live' || turn !== null || step !== null || summary !== null) return true
  return calls.length + runs.length > 0
}

function snapshotAfter(before: SessionState, events: readonly Event[]): Snapshot | undefined {
  const seq = before.head + events.length
  if (Math.floor(seq / snapshotEvery) === Math.floor(before.head / snapshotEvery)) return undefined
  const state = events.reduce(evolve, before)
  return { seq, foldVersion, state: JSON.stringify(state) }
}
