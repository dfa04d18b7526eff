import { z } from 'zod'
import { hashOf } from './blob-hash.ts'
import type { Database } from './database.ts'
import type { EventStore } from './store.ts'

const BlobRow = z
  .object({ media_type: z.string(), bytes: z.instanceof(Uint8Array) })
  .transform(({ media_type: mediaType, bytes }) => ({ mediaType, bytes: Buffer.from(bytes) }))

const CountRow = z.object({ count: z.number(), bytes: z.number() })

/** Bytes that events refer to. They go with their session. */
export function createBlobs(database: Database): Pick<EventStore, 'saveBlob' | 'blob' | 'blobs'> {
  return {
    async saveBlob(session, { bytes, mediaType }) {
      const hash = hashOf(bytes)
      // Written over with itself if it is there, so that a row counts either way.
      const saved = database.run(
        `INSERT INTO blobs (session, hash, media_type, bytes)
         SELECT num, :hash, :mediaType, :bytes FROM sessions WHERE id = :session
         ON CONFLICT DO UPDATE SET hash = hash`,
        { session, hash, mediaType, bytes },
      )
      if (saved === 0) throw new Error(`a blob for session ${session}, which does not exist`)
      return hash
    },
    blob: async (session, hash) =>
      database.get(
        BlobRow,
        `SELECT media_type, bytes FROM blobs
         WHERE session = (SELECT num FROM sessions WHERE id = :session) AND hash = :hash`,
        { session, hash },
      ),
    async blobs(session) {
      const row = database.get(
        CountRow,
        `SELECT count(*) AS count, coalesce(sum(length(bytes)), 0) AS bytes FROM blobs
         WHERE session = (SELECT num FROM sessions WHERE id = :session)`,
        { session },
      )
      return row ?? { count: 0, bytes: 0 }
    },
  }
}
