import { realpathSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { z } from 'zod'
import type { Refusal } from '../protocol/refusal.ts'
import { ok, refused, type Result } from '../protocol/result.ts'
import type { TrustedFolder } from '../protocol/team.ts'
import type { Database } from './store/database.ts'
import { readRow, readRows, Text, toText } from './store/rows.ts'

/** The folders a person has said yes to: only there do a project’s own files have a say. */
export interface Trust {
  /** It, or one of its parents; wherever its links lead. */
  isTrusted(folder: string): boolean
  /** Resolves with where the folder really is. */
  trust(folder: string): Promise<Result<string, Refusal>>
  /** False when it was not in the list; a trusted parent still counts. */
  revoke(folder: string): boolean
  list(): readonly TrustedFolder[]
}

const TrustRow = z.object({ path: Text, at: z.number() })

export interface TrustDeps {
  clock(): number
  onChange?(): void
}

export function createTrust(database: Database, { clock, onChange }: TrustDeps): Trust {
  function isListed(path: string): boolean {
    const row = database.get('SELECT * FROM trust WHERE path = :path', { path: toText(path) })
    return readRow(database.file, TrustRow, row) !== null
  }

  function isUnder(path: string): boolean {
    const parent = dirname(path)
    return isListed(path) || (parent !== path && isUnder(parent))
  }

  return {
    isTrusted(folder) {
      const real = realFolder(folder)
      return real !== null && isUnder(real)
    },
    async trust(folder) {
      const found = await trustable(folder)
      if (!found.ok) return found
      database.run('INSERT OR IGNORE INTO trust (path, at) VALUES (:path, :at)', {
        path: toText(found.value),
        at: clock(),
      })
      onChange?.()
      return found
    },
    revoke(folder) {
      // One that is gone, or a link now, is revoked by the name it has in the list.
      const paths = [folder, realFolder(folder) ?? folder]
      const gone = paths.map((path) =>
        database.run('DELETE FROM trust WHERE path = :path', { path: toText(path) }),
      )
      onChange?.()
      return gone.some((count) => count > 0)
    },
    list() {
      const rows = database.all('SELECT path, at FROM trust ORDER BY path')
      return readRows(database.file, TrustRow, rows)
    },
  }
}

function realFolder(folder: string): string | null {
  try {
    return isAbsolute(folder) ? realpathSync(folder) : null
  } catch {
    return null
  }
}

async function trustable(folder: string): Promise<Result<string, Refusal>> {
  const no = (why: string) =>
    refused<Refusal>({
      code: 'bad_folder',
      message: `${JSON.stringify(folder)} cannot be trusted: ${why}.`,
    })
  if (!isAbsolute(folder) || folder.includes('\0')) return no('it is not an absolute path')
  const real = await realpath(folder).catch(() => null)
  if (real === null) return no('there is no such folder')
  if (!(await stat(real)).isDirectory()) return no('it is not a folder')
  if (dirname(real) === real) return no('with it everything on this machine would be')
  return ok(real)
}
