import type { Refusal } from '../protocol/refusal.ts'
import { StoreError } from './store/store-error.ts'

const diskFull: Refusal = {
  code: 'disk_full',
  message: 'The disk is full: nothing was stored. Free some room.',
}

/** What a client is told when the world failed; null for a fault of ours. */
export function worldRefusal(error: unknown): Refusal | null {
  if (error instanceof StoreError) return refusalOf(error)
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return isFull ? diskFull : null
}

/** What a client is told when its intent could not be stored. Nothing of it was. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof StoreError)) throw error
  switch (error.code) {
    case 'store_busy':
      return { code: 'store_busy', message: 'The database is locked. Try again in a moment.' }
    case 'disk_full':
      return diskFull
    case 'corrupt_event':
      return { code: 'internal', message: `The log is damaged: ${error.message}` }
    case 'store_failed':
    case 'newer_schema':
      return {
        code: 'read_only',
        message: 'The database could not be written; nothing was stored.',
      }
  }
}
