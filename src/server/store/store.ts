import type { Event } from '../../protocol/events/event.ts'
import type { Head, IntentKey, RunId, Seq, SessionId } from '../../protocol/events/seq.ts'
import type { RunView, SessionSummary } from '../../protocol/http/session-view.ts'
import type { StoredInput } from '../history/past-inputs.ts'

export type { SessionSummary }

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

export type StoredRun = RunView & { session: SessionId }

/** Bytes that an event refers to by their hash. */
export interface Blob {
  bytes: Buffer
  mediaType: string
}

export type Appended =
  | { outcome: 'stored' }
  /** The key was seen before: nothing was stored, and this is where its events ended then. */
  | { outcome: 'repeated'; head: Head }
  /** Someone else wrote; a bug or a second server. */
  | { outcome: 'conflict'; head: Head }

/** A key that was used: where its events began and ended, and what it was used for. */
export interface UsedKey {
  /** Null of a key from before this was kept. */
  first: Seq | null
  head: Head
  /** A hash of what was asked; null when it is not known. */
  body: string | null
}

export interface AppendOptions {
  key?: IntentKey | undefined
  /** With a key: a hash of what was asked. */
  body?: string | undefined
  snapshot?: Snapshot | undefined
  /** The session's draft goes with this append. */
  clearDraft?: boolean | undefined
  /** Whether the session has a shell or something under way afterwards. */
  live?: boolean | undefined
  /** Another session begins with these, in the same append: both are stored, or none. */
  begins?: Beginning | undefined
}

/** A session that was not there before. */
export interface Beginning {
  session: SessionId
  events: readonly Event[]
  live: boolean
}

/**
 * Which events of a log, in order: the first `limit` after `after` (and below `before`).
 * `before` alone gives the last `limit` below it.
 */
export interface Range {
  after?: Head | undefined
  before?: Seq | undefined
  limit: number
}

/**
 * Keeps logs. An append is whole or absent, and resolved means on disk.
 * It brings at least one event, numbered from `expectedHead + 1`; the first of a session is its
 * `session_start`. Text comes back as it went in, NULs and lone surrogates too.
 * When the world fails a method rejects with a `StoreError`; any other error is the caller's bug.
 */
export interface EventStore {
  append(
    session: SessionId,
    expectedHead: Head,
    batch: { events: readonly Event[] } & AppendOptions,
  ): Promise<Appended>
  read(session: SessionId, range: Range): Promise<readonly Event[]>
  /** The earlier append with this key; null if there was none. */
  findKey(session: SessionId, key: IntentKey): Promise<UsedKey | null>
  summary(session: SessionId): Promise<SessionSummary | null>
  /** The last used first: by the time of the last event, then by id. */
  list(filter: {
    team?: string | undefined
    workspace?: string | undefined
    live?: true | undefined
    /** True: only those that lists name; false: only the others. */
    listed?: boolean | undefined
    limit: number
  }): Promise<readonly SessionSummary[]>
  /** A run by its public id, in whatever session; as quick in a long log as in a short one. */
  findRun(run: RunId): Promise<StoredRun | null>
  /** The inputs of a team's people, newest first: nothing private, no secrets. */
  inputs(team: string, limit: number): Promise<readonly StoredInput[]>
  snapshot(session: SessionId): Promise<Snapshot | null>
  /** Replaces the session's draft; the session must exist. */
  saveDraft(session: SessionId, draft: Draft): Promise<void>
  draft(session: SessionId): Promise<Draft | null>
  /** Keeps bytes for a session, which must exist, once; gives their SHA-256 in hex. */
  saveBlob(session: SessionId, blob: Blob): Promise<string>
  blob(session: SessionId, hash: string): Promise<Blob | null>
  /** How many blobs a session has, and of how many bytes. */
  blobs(session: SessionId): Promise<{ count: number; bytes: number }>
  /** Nothing of the session stays; one that is not there is fine. */
  remove(session: SessionId): Promise<void>
  /** Forgets keys whose last event is older than this time. */
  forgetKeys(before: number): Promise<void>
  close(): Promise<void>
}
