import type { SessionId } from '../../protocol/events/seq.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'

export type StoreErrorCode =
  /** Another process holds the database; trying again later is right. */
  | 'store_busy'
  /** Nothing was stored; trying again when there is room is right. */
  | 'disk_full'
  | 'store_failed'
  /** A page of the database, or a row in it, cannot be read as what it should be. */
  | 'damaged'
  /** An event on disk is missing or does not read as an event. */
  | 'corrupt_event'
  /** A newer Tandem wrote this database. */
  | 'newer_schema'

/** The world failed below the store. A bug of the caller is a plain Error instead. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The session has a folder, and no row in the database. */
export function lostSession(session: SessionId): StoreError {
  return new StoreError('damaged', `session ${session} has a folder, but its log is gone.`)
}

/** The same error, with the session that it is about. */
export function namingSession(session: SessionId, error: unknown): unknown {
  if (!(error instanceof StoreError) || error.code !== 'damaged') return error
  return new StoreError('damaged', `session ${session} cannot be read whole.`, { cause: error })
}

const exportAdvice = '`tandem sessions export ID` gives what can be read of a session.'

const diskFull: Refusal = {
  code: 'disk_full',
  message: 'The disk is full: nothing was stored. Free some room.',
}

/** Tells a client that the world failed; null for a fault of ours. */
export function worldRefusal(error: unknown): Refusal | null {
  if (error instanceof StoreError) return refusalOf(error)
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return isFull ? diskFull : null
}

/** Tells a client that its intent could not be stored. Nothing of it was. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof StoreError)) throw error
  switch (error.code) {
    case 'store_busy':
      return { code: 'store_busy', message: 'The database is locked. Try again in a moment.' }
    case 'disk_full':
      return diskFull
    case 'damaged':
    case 'corrupt_event':
      return { code: 'damaged', message: `The log is damaged: ${error.message} ${exportAdvice}` }
    case 'store_failed':
    case 'newer_schema':
      return {
        code: 'read_only',
        message: 'The database could not be written; nothing was stored.',
      }
  }
}
