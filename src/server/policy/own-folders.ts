import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const sticky = 0o1000

/** Says whether nobody but the user and root can put a program into any of these folders, or another folder in its place. */
export async function areOwnFolders(folders: readonly string[]): Promise<boolean> {
  const checked = await Promise.all(folders.map(isOwnFolder))
  return checked.every(Boolean)
}

async function isOwnFolder(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  if (found === null || !found.isDirectory()) return false
  return isOwn(found) && isClosed(found) && isReached(dirname(folder))
}

/** Nobody else can rename it: a folder above it that others can write lets them rename only what is theirs. */
async function isReached(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  if (found === null || !isOwn(found)) return false
  if (!isClosed(found) && (found.mode & sticky) === 0) return false
  return folder === '/' || isReached(dirname(folder))
}

interface Owned {
  uid: number
  gid: number
  mode: number
}

const isOwn = ({ uid }: Owned) => uid === 0 || uid === process.getuid?.()

/** Many systems give each user a group of their own, of the same number, which may write. */
const isClosed = ({ uid, gid, mode }: Owned) =>
  (mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === uid)
