import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { ok, refused, type Result } from '../../protocol/result.ts'

/** Where a folder really is, or why it cannot be a repo. */
export async function repoFolder(path: string): Promise<Result<string, string>> {
  if (!isAbsolute(path) || path.includes('\0')) return refused('it is not an absolute path')
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? ok(real) : refused('it is not a folder')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return refused(code === 'EACCES' ? 'it may not be read' : 'there is no such folder')
  }
}
