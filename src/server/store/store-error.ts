import { constants } from 'node:os'
import { z } from 'zod'

export type StoreErrorCode =
  /** Another process holds the database; trying again later is right. */
  | 'store_busy'
  /** Nothing was stored; trying again when there is room is right. */
  | 'disk_full'
  | 'store_failed'
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

/** What SQLite and the file system attach to their errors. */
const Failure = z.object({
  message: z.string(),
  code: z.string().optional(),
  errcode: z.number().optional(),
  systemErrno: z.number().optional(),
})

const sqliteBusy = 5
const sqliteFull = 13
/** SQLite's words for a file that is damaged, or is something else. */
const damaged: ReadonlySet<number> = new Set([11, 26])

const advice = {
  store_busy: 'Another process is using it; try again.',
  disk_full: 'The disk is full; nothing was stored. Free some space and try again.',
  store_failed: 'Nothing was stored. Can the folder be written? TANDEM_HOME may name another.',
}

const damagedAdvice =
  'The file is damaged. Put a backup in its place, or move it away to begin anew.'

/** The low byte is the plain code; the rest says where it happened. */
function plainCode({ errcode = 0 }: z.infer<typeof Failure>): number {
  return errcode & 0xff
}

function codeOf(failure: z.infer<typeof Failure>): keyof typeof advice {
  const plain = plainCode(failure)
  if (plain === sqliteBusy) return 'store_busy'
  if (plain === sqliteFull || failure.code === 'ENOSPC') return 'disk_full'
  return failure.systemErrno === constants.errno.ENOSPC ? 'disk_full' : 'store_failed'
}

/** Runs work on the database at `file`; whatever the world throws comes out as a StoreError. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const failure = Failure.safeParse(cause)
    const code = failure.success ? codeOf(failure.data) : 'store_failed'
    const found = failure.success ? failure.data.message : String(cause)
    const isDamaged = failure.success && damaged.has(plainCode(failure.data))
    const hint = isDamaged ? damagedAdvice : advice[code]
    throw new StoreError(code, `cannot use ${file}: ${found}. ${hint}`, { cause })
  }
}
