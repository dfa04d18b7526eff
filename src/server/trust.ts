import { dirname, isAbsolute } from 'node:path'
import { z } from 'zod'
import type { Refusal } from '../protocol/refusal.ts'
import { refused, type Result } from '../protocol/result.ts'
import type { TrustedFolder } from '../protocol/team.ts'
import type { LookAt } from './looker/ops.ts'
import type { Database } from './store/database.ts'
import { readRow, readRows, Text, toText } from './store/rows.ts'

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

export function createTrust(database: Database, { clock, look, onChange }: TrustDeps): Trust {
  function isListed(path: string): boolean {
    const row = database.get('SELECT * FROM trust WHERE path = :path', { path: toText(path) })
    return readRow(database.file, TrustRow, row) !== null
  }

  function isUnder(path: string): boolean {
    const parent = dirname(path)
    return isListed(path) || (parent !== path && isUnder(parent))
  }

  /** What does not answer has no say. */
  async function realFolder(folder: string): Promise<string | null> {
    const looked = isAbsolute(folder) ? await look('real', folder) : null
    return looked?.ok ? looked.value : null
  }

  return {
    async isTrusted(folder) {
      const real = await realFolder(folder)
      return real !== null && isUnder(real)
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
      // One that is gone, or a link now, is revoked by the name it has in the list.
      const paths = [folder, (await realFolder(folder)) ?? folder]
      const gone = paths.map((path) =>
        database.run('DELETE FROM trust WHERE path = :path', { path: toText(path) }),
      )
      await onChange?.()
      return gone.some((count) => count > 0)
    },
    list() {
      const rows = database.all('SELECT path, at FROM trust ORDER BY path')
      return readRows(database.file, TrustRow, rows)
    },
  }
}
