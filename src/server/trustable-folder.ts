import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { ok, refused, type Result } from '../protocol/result.ts'

/** Where a folder really is, or why nobody can trust it. */
export async function trustableFolder(folder: string): Promise<Result<string, string>> {
  if (!isAbsolute(folder) || folder.includes('\0')) return refused('it is not an absolute path')
  const real = await realpath(folder).catch(() => null)
  if (real === null) return refused('there is no such folder')
  if (!(await stat(real)).isDirectory()) return refused('it is not a folder')
  if (dirname(real) === real) return refused('with it everything on this machine would be')
  return ok(real)
}
