import type { Event } from '../../protocol/event.ts'
import type { Head, IntentKey, Seq, SessionId } from '../../protocol/seq.ts'

/** What the session list shows, kept by `append` in the same transaction as the events. */
export interface SessionSummary {
  id: SessionId
  team: string
  workspace: string
  title: string | null
  createdAt: number
  updatedAt: number
  head: Head
}

/** The state at `seq`, as JSON, so that a long session opens without folding its whole log. */
export interface Snapshot {
  seq: Seq
  /** A snapshot of another fold version is thrown away. */
  foldVersion: number
  state: string
}

/** The reply so far of an open step; not an event, replaced in place, gone when the step closes. */
export interface Draft {
  step: Seq
  text: string
}

export type Appended =
  | { outcome: 'stored' }
  /** The key was seen before: nothing was stored, and this is where its events ended then. */
  | { outcome: 'repeated'; head: Head }
  /** Someone else wrote; a bug or a second server. */
  | { outcome: 'conflict'; head: Head }

export interface AppendOptions {
  key?: IntentKey | undefined
  snapshot?: Snapshot | undefined
  /** The step whose draft goes with this append. */
  clearDraft?: boolean | undefined
}

/** Which events of a log, in order. `before` alone gives the last `limit` below it. */
export interface Range {
  after?: Head | undefined
  before?: Seq | undefined
  limit: number
}

/**
 * Where logs are kept. An append is whole or absent, and resolved means on disk.
 * The first event of a session must be its `session_start`.
 */
export interface EventStore {
  append(
    session: SessionId,
    expectedHead: Head,
    batch: { events: readonly Event[] } & AppendOptions,
  ): Promise<Appended>
  read(session: SessionId, range: Range): Promise<readonly Event[]>
  /** Where the events of an earlier append with this key ended; null if there was none. */
  findKey(session: SessionId, key: IntentKey): Promise<Head | null>
  summary(session: SessionId): Promise<SessionSummary | null>
  /** Newest first. */
  list(filter: {
    team?: string | undefined
    workspace?: string | undefined
    limit: number
  }): Promise<readonly SessionSummary[]>
  snapshot(session: SessionId): Promise<Snapshot | null>
  saveDraft(session: SessionId, draft: Draft): Promise<void>
  draft(session: SessionId): Promise<Draft | null>
  remove(session: SessionId): Promise<void>
  /** Forgets keys last used before this time. */
  forgetKeys(before: number): Promise<void>
  close(): Promise<void>
}
