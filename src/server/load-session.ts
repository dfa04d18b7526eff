import type { SessionId } from '../protocol/seq.ts'
import { evolve } from '../log/evolve.ts'
import { foldVersion, initialState, type SessionState } from '../log/state.ts'
import type { EventStore, Snapshot } from './store/store.ts'

const page = 1_000

/** The state of a stored session: its last snapshot, if this version can read it, and what came since. */
export async function loadSession(
  store: EventStore,
  session: SessionId,
): Promise<SessionState | null> {
  let state = fromSnapshot(await store.snapshot(session))
  for (;;) {
    const events = await store.read(session, { after: state.head, limit: page })
    state = events.reduce(evolve, state)
    if (events.length < page) break
  }
  return state.head === 0 ? null : state
}

function fromSnapshot(snapshot: Snapshot | null): SessionState {
  if (snapshot === null || snapshot.foldVersion !== foldVersion) return initialState
  // The same fold version wrote it, so it has the shape of this state.
  const state: SessionState = JSON.parse(snapshot.state)
  return state
}
