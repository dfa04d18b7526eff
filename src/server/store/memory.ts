import type { IntentKey, SessionId } from '../../protocol/events/seq.ts'
import { beforeAny, inputsOf, newestFirst } from '../history/past-inputs.ts'
import { type CheckedBatch, checkBatch, isUnlisted, summarise } from './append.ts'
import { hashOf } from './blob-hash.ts'
import { readEvent, runOf, checkLimit, span } from './read-log.ts'
import type { Blob, Draft, EventStore, SessionSummary, Snapshot, UsedKey } from './store.ts'

interface Kept {
  summary: SessionSummary
  unlisted: boolean
  /** As JSON, so that no caller shares an object with the log. */
  bodies: string[]
  keys: Map<IntentKey, UsedKey & { at: number }>
  snapshot: Snapshot | null
  draft: Draft | null
  blobs: Map<string, Blob>
}

/** The store for tests of other parts: the same contract, gone with the process. */
export function createMemoryStore(): EventStore {
  const sessions = new Map<SessionId, Kept>()

  function keep(session: SessionId, batch: CheckedBatch): void {
    const known = sessions.get(session)
    const summary = summarise(session, known?.summary ?? null, batch)
    const kept: Kept = known ?? {
      summary,
      unlisted: isUnlisted(batch),
      bodies: [],
      keys: new Map(),
      snapshot: null,
      draft: null,
      blobs: new Map(),
    }
    kept.summary = summary
    kept.bodies.push(...batch.events.map((event) => JSON.stringify(event)))
    const { key, body = null, first, head, at } = batch
    if (key !== undefined) kept.keys.set(key, { first, head, body, at })
    if (batch.snapshot) kept.snapshot = { ...batch.snapshot }
    if (batch.clearDraft) kept.draft = null
    sessions.set(session, kept)
  }

  return {
    async append(session, expectedHead, batch) {
      const checked = checkBatch(expectedHead, batch)
      const beginning = batch.begins && checkBatch(0, batch.begins)
      const known = sessions.get(session)
      const repeated = checked.key === undefined ? undefined : known?.keys.get(checked.key)
      if (repeated) return { outcome: 'repeated', head: repeated.head }
      const head = known?.summary.head ?? 0
      if (head !== expectedHead) return { outcome: 'conflict', head }
      if (batch.begins && sessions.has(batch.begins.session))
        throw new Error(`session ${batch.begins.session} is there already`)
      keep(session, checked)
      if (batch.begins && beginning) keep(batch.begins.session, beginning)
      return { outcome: 'stored' }
    },
    ...createReading(sessions),
    async findKey(session, key) {
      const used = sessions.get(session)?.keys.get(key)
      return used ? { first: used.first, head: used.head, body: used.body } : null
    },
    snapshot: async (session) => sessions.get(session)?.snapshot ?? null,
    async saveDraft(session, draft) {
      const known = sessions.get(session)
      if (!known) throw new Error(`a draft for session ${session}, which does not exist`)
      known.draft = { ...draft }
    },
    draft: async (session) => sessions.get(session)?.draft ?? null,
    ...createBlobs(sessions),
    async remove(session) {
      sessions.delete(session)
    },
    async forgetKeys(before) {
      for (const { keys } of sessions.values())
        for (const [key, { at }] of keys) if (at < before) keys.delete(key)
    },
    async close() {
      sessions.clear()
    },
  }
}

type Sessions = ReadonlyMap<SessionId, Kept>
type Reading = Pick<EventStore, 'read' | 'summary' | 'list' | 'findRun' | 'inputs'>

function createReading(sessions: Sessions): Reading {
  return {
    async read(session, range) {
      const known = sessions.get(session)
      const { from, to } = span(range, known?.summary.head ?? 0)
      const bodies = known?.bodies.slice(from - 1, Math.max(to, 0)) ?? []
      return bodies.map((body, index) => readEvent(session, from + index, body))
    },
    summary: async (session) => sessions.get(session)?.summary ?? null,
    async list({ team, workspace, live, listed, limit }) {
      checkLimit(limit)
      const summaries = [...sessions.values()]
        .filter(({ unlisted }) => listed === undefined || listed !== unlisted)
        .map((kept) => kept.summary)
      return summaries
        .filter((summary) => team === undefined || summary.team === team)
        .filter((summary) => workspace === undefined || summary.workspace === workspace)
        .filter((summary) => live === undefined || summary.live)
        .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
        .slice(0, limit)
    },
    async findRun(run) {
      for (const [session, { bodies }] of sessions) {
        const events = bodies.map((body, index) => readEvent(session, index + 1, body))
        const found = runOf(events, run)
        if (found !== null) return { session, ...found }
      }
      return null
    },
    async inputs(team, limit) {
      checkLimit(limit)
      const found = [...sessions].flatMap(([session, { summary, bodies }]) => {
        if (summary.team !== team) return []
        const events = bodies.map((body, index) => readEvent(session, index + 1, body))
        return inputsOf(session, events, beforeAny).inputs
      })
      return newestFirst(found).slice(0, limit)
    },
  }
}

function createBlobs(sessions: Sessions): Pick<EventStore, 'saveBlob' | 'blob' | 'blobs'> {
  return {
    async saveBlob(session, { bytes, mediaType }) {
      const known = sessions.get(session)
      if (!known) throw new Error(`a blob for session ${session}, which does not exist`)
      const hash = hashOf(bytes)
      if (!known.blobs.has(hash)) known.blobs.set(hash, { bytes: Buffer.from(bytes), mediaType })
      return hash
    },
    async blob(session, hash) {
      const kept = sessions.get(session)?.blobs.get(hash)
      return kept ? { ...kept, bytes: Buffer.from(kept.bytes) } : null
    },
    async blobs(session) {
      const kept = [...(sessions.get(session)?.blobs.values() ?? [])]
      return { count: kept.length, bytes: kept.reduce((sum, { bytes }) => sum + bytes.length, 0) }
    },
  }
}
