import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { refused, type Result } from '../../base/result.ts'
import type { TrustedFolder } from '../../protocol/http/team.ts'
import type { LookAt } from '../looker/ops.ts'
import { connect, type Database, Text, toText } from '../store/database.ts'

/** The folders a person has said yes to: only there do a project’s own files have a say. */
export interface Trust {
  /** It, or one of its parents; wherever its links lead. */
  isTrusted(folder: string): Promise<boolean>
  /** Resolves with where the folder really is. */
  trust(folder: string): Promise<Result<string, Refusal>>
  /** False when it was not in the list; a trusted parent still counts. */
  revoke(folder: string): Promise<boolean>
  list(): readonly TrustedFolder[]
}

const TrustRow = z.object({ path: Text, at: z.number() })

export interface TrustDeps {
  clock(): number
  look: LookAt
  onChange?(): Promise<void>
}

/** A folder, as it really is, or one of its parents is in the list. */
function isUnder(database: Database, path: string): boolean {
  const sql = 'SELECT * FROM trust WHERE path = :path'
  const parent = dirname(path)
  return (
    database.get(TrustRow, sql, { path: toText(path) }) !== null ||
    (parent !== path && isUnder(database, parent))
  )
}

/** The same where no server runs; a data folder without a database trusts nothing. */
export function isTrustedIn(home: string, folder: string): boolean {
  const file = join(home, 'tandem.db')
  if (!existsSync(file)) return false
  const database = connect({ file })
  try {
    return isUnder(database, folder)
  } finally {
    database.close()
  }
}

export function createTrust(database: Database, { clock, look, onChange }: TrustDeps): Trust {
  /** A file system that does not answer has no say. */
  async function realFolder(folder: string): Promise<string | null> {
    const looked = isAbsolute(folder) ? await look('real', folder) : null
    return looked?.ok ? looked.value : null
  }

  return {
    async isTrusted(folder) {
      const real = await realFolder(folder)
      return real !== null && isUnder(database, real)
    },
    async trust(folder) {
      const looked = await look('trustable', folder)
      const found = looked.ok ? looked.value : looked
      if (!found.ok)
        return refused({
          code: 'bad_folder',
          message: `${JSON.stringify(folder)} cannot be trusted: ${found.error}.`,
        })
      database.run('INSERT OR IGNORE INTO trust (path, at) VALUES (:path, :at)', {
        path: toText(found.value),
        at: clock(),
      })
      await onChange?.()
      return found
    },
    async revoke(folder) {
      // A folder that is gone, or a link now, is revoked by the name it has in the list.
      const paths = [folder, (await realFolder(folder)) ?? folder]
      const gone = paths.map((path) =>
        database.run('DELETE FROM trust WHERE path = :path', { path: toText(path) }),
      )
      await onChange?.()
      return gone.some((count) => count > 0)
    },
    list: () => database.all(TrustRow, 'SELECT path, at FROM trust ORDER BY path'),
  }
}
