import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { link, lstat, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createKeyedSerial } from '../session/serial.ts'

/** A file of secrets cannot be kept where it was asked to be. */
export class PrivateFileError extends Error {
  override name = 'PrivateFileError'
}

/** Fifty browsers take a hundredth of it. */
const mostBytes = 1024 * 1024

/** Null when there is none that can be trusted: others could read it. Links are not followed. */
export async function readPrivate(path: string): Promise<string | null> {
  // A pipe in its place would be waited for for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(absent(path))
  if (file === null) return null
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.uid !== process.getuid?.()) {
      throw new PrivateFileError(`${path} is not a file of yours. Remove it.`)
    }
    if (stat.size > mostBytes)
      throw new PrivateFileError(`${path} has more than ${mostBytes} bytes. Remove it.`)
    return (stat.mode & 0o077) === 0 ? await file.readFile('utf8') : null
  } finally {
    await file.close()
  }
}

/** Whether anything has this name, whoever may read it. */
export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(absent(path))) !== null
}

const writes = createKeyedSerial()

/** Puts it in place of what is there, whole or not at all, and after all that was to be written there before. */
export function writePrivate(path: string, text: string): Promise<void> {
  return writes.run(path, () => writeThen(path, text, (fresh) => rename(fresh, path)))
}

/**
 * Reads what is there, or makes it. Two servers may start at once: the first file stays, and both use it. A file
 * that others could read, or that is not of this shape, is replaced.
 */
export async function readOrMake(
  path: string,
  { isGood, make }: { isGood(text: string): boolean; make(): string },
): Promise<string> {
  const read = async () => {
    const text = await readPrivate(path)
    return text !== null && isGood(text) ? text : null
  }
  const kept = await read()
  if (kept !== null) return kept
  const made = make()
  try {
    await writeThen(path, made, (fresh) => linkAs(path, fresh))
    return made
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const theirs = await read()
  if (theirs !== null) return theirs
  await writePrivate(path, made)
  return made
}

function absent(path: string): (error: unknown) => null {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return null
    const why = codeOf(error) === 'ELOOP' ? 'it is a symbolic link. Remove it.' : 'see the cause.'
    throw new PrivateFileError(`cannot read ${path}: ${why}`, { cause: error })
  }
}

/** Unlike a rename, fails when the name is taken. */
async function linkAs(path: string, fresh: string): Promise<void> {
  try {
    await link(fresh, path)
  } finally {
    await unlink(fresh)
  }
}

/** The text is whole on disk before its name is. */
async function writeThen(
  path: string,
  text: string,
  publish: (fresh: string) => Promise<void>,
): Promise<void> {
  const fresh = `${path}.${randomBytes(9).toString('base64url')}`
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const file = await open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await publish(fresh)
  const folder = await open(dirname(path), constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
