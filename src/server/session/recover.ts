import { z } from 'zod'
import type { SessionId } from '../../protocol/events/seq.ts'
import { evolve } from '../../log/evolve.ts'
import { foldVersion, initialState, type SessionState } from '../../log/state.ts'
import { hasOpen } from './commit.ts'
import type { SessionHostDeps } from './host.ts'
import type { Writer } from './writer.ts'
import { readPages } from '../store/read-log.ts'
import type { EventStore, Snapshot } from '../store/store.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface RecoverDeps extends Pick<SessionHostDeps, 'id' | 'store' | 'folderOf'> {
  terminal: Pick<Terminal, 'attach' | 'close' | 'showMoved'>
  writer: Writer
}

/**
 * Takes a session over from a server that is gone: its cut reply is closed with the text that had
 * come, its shell is found again or reported lost. Runs stay open for the holder to tell about.
 */
export async function recover(deps: RecoverDeps): Promise<void> {
  const { id, store, terminal, writer } = deps
  if (hasOpen(writer.state()))
    await writer.report({ type: 'recovered', draft: await store.draft(id) })
  const { shell } = writer.state()
  // A shell that started when the server died, before the log knew of it, has run nothing.
  if (shell.phase !== 'live') {
    if (shell.phase === 'gone' && shell.movedTo !== undefined) terminal.showMoved()
    return terminal.close()
  }
  const { taken } = shell
  const from = taken && { folder: deps.folderOf(taken.session), generation: taken.generation }
  if (await terminal.attach(shell.generation, from)) return
  await writer.report({
    type: 'shell-ended',
    generation: shell.generation,
    reason: 'lost',
    exitCode: null,
    signal: null,
  })
}

/** The state of a stored session: its last snapshot, if this version can read it, and what came since. */
export async function loadSession(
  store: EventStore,
  session: SessionId,
): Promise<SessionState | null> {
  let state = fromSnapshot(await store.snapshot(session))
  for await (const events of readPages(store, session, state.head))
    state = events.reduce(evolve, state)
  return state.head === 0 ? null : state
}

function fromSnapshot(snapshot: Snapshot | null): SessionState {
  if (snapshot === null || snapshot.foldVersion !== foldVersion) return initialState
  const parsed = StoredState.safeParse(parseJson(snapshot.state))
  return parsed.success && parsed.data.head === snapshot.seq ? parsed.data : initialState
}

/** A damaged snapshot is no loss: the log has it all. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The same fold version wrote it, so only its outline is checked: the log has the rest, and is folded instead. */
const StoredState = z.custom<SessionState>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(initialState).every((name) => Object.hasOwn(value, name)),
)
