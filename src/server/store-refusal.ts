import type { Refusal } from '../protocol/refusal.ts'
import { StoreError } from './store/store-error.ts'

/** What a client is told when its intent could not be stored. Nothing of it was. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof StoreError)) throw error
  switch (error.code) {
    case 'store_busy':
      return { code: 'store_busy', message: 'The database is locked. Try again in a moment.' }
    case 'disk_full':
      return { code: 'disk_full', message: 'The disk is full: nothing was stored. Free some room.' }
    case 'store_failed':
    case 'corrupt_event':
    case 'newer_schema':
      return {
        code: 'read_only',
        message: 'The database could not be written; nothing was stored.',
      }
  }
}
