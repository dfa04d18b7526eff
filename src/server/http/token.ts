import { constants } from 'node:fs'
import { link, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { randomSecret } from './secrets.ts'

/** The one token of this data folder. */
export interface TokenFile {
  current(): string
  rotate(): Promise<string>
}

/** The token cannot be kept where it was asked to be. */
export class TokenError extends Error {
  override name = 'TokenError'
}

const shape = /^[A-Za-z0-9_-]{43}$/

/** Reads the token, or makes one. The folder must exist and belong to the user alone. */
export async function openTokenFile(path: string): Promise<TokenFile> {
  let token = (await readToken(path)) ?? (await createToken(path))
  return {
    current: () => token,
    async rotate() {
      const next = randomSecret()
      await writeThen(path, { token: next, publish: (fresh) => rename(fresh, path) })
      token = next
      return token
    },
  }
}

/** Null when there is none that can be trusted: others could read it, or it is not a token. */
async function readToken(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(absent(path))
  if (file === null) return null
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.uid !== process.getuid?.()) {
      throw new TokenError(`the token file ${path} is not a file of yours. Remove it.`)
    }
    const text = (await file.readFile('utf8')).trim()
    return (stat.mode & 0o077) === 0 && shape.test(text) ? text : null
  } finally {
    await file.close()
  }
}

function absent(path: string): (error: unknown) => null {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return null
    const why = codeOf(error) === 'ELOOP' ? 'it is a symbolic link. Remove it.' : 'see the cause.'
    throw new TokenError(`cannot read the token file ${path}: ${why}`, { cause: error })
  }
}

/** Two servers may start at once: the first file stays, and both use it. */
async function createToken(path: string): Promise<string> {
  const token = randomSecret()
  const publish = (fresh: string) => linkAs(path, fresh)
  try {
    await writeThen(path, { token, publish })
    return token
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const theirs = await readToken(path)
  if (theirs !== null) return theirs
  await writeThen(path, { token, publish: (fresh) => rename(fresh, path) })
  return token
}

/** Unlike a rename, fails when the name is taken. */
async function linkAs(path: string, fresh: string): Promise<void> {
  try {
    await link(fresh, path)
  } finally {
    await unlink(fresh)
  }
}

/** The token is whole on disk before its name is. */
async function writeThen(
  path: string,
  { token, publish }: { token: string; publish: (fresh: string) => Promise<void> },
): Promise<void> {
  const fresh = `${path}.${randomSecret().slice(0, 12)}`
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const file = await open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await file.writeFile(`${token}\n`)
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
