import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { ok, refused, type Result } from '../../protocol/result.ts'

/**
 * Opens a regular file at a path that was resolved before, and only if it is still there without any
 * link on the way: what was swapped meanwhile is not what somebody agreed to. Never waits for a pipe.
 */
export async function openSame(file: string): Promise<Result<FileHandle, string>> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      if (await isStill(file, handle)) return ok(handle)
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
    return refused('it is not the file any more that was named')
  } catch (error) {
    return refused(whyNot(error))
  }
}

/** What is at the path now, links excluded, has to be what was opened. */
async function isStill(file: string, handle: FileHandle): Promise<boolean> {
  const [opened, named, real] = await Promise.all([handle.stat(), lstat(file), realpath(file)])
  return opened.isFile() && opened.ino === named.ino && opened.dev === named.dev && real === file
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there any more',
  ENOTDIR: 'it is not there any more',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  ELOOP: 'it is not the file any more that was named',
  // What O_NONBLOCK gives for a socket.
  ENXIO: 'it is not the file any more that was named',
}

/** Why something of the file system could not be read, in words. */
export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  return known ?? (error instanceof Error ? error.message : String(error))
}
