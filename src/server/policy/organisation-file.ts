import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { Organisation } from '../../protocol/organisation.ts'

/** No setting leads elsewhere: who could change it could do without the rules. */
export const organisationFile = '/etc/tandem/policy.json'

const maxBytes = 4 * 1024 * 1024

export interface ReadOrganisation {
  organisation: Organisation | null
  /** The reason why the file does not count, or not as it is meant; null when all is well. */
  problem: string | null
}

/** Reads the rules of an organisation anew. They count only if root owns them and nobody else can write them. */
export async function readOrganisation(
  path = organisationFile,
  owner = 0,
): Promise<ReadOrganisation> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: unknown) => error)
  if (file instanceof Error || !isHandle(file)) return notOpened(path, file)
  try {
    const problem = await unsafe(file, path, owner)
    if (problem !== null) return { organisation: null, problem: `${path} is ignored: ${problem}.` }
    const bytes = Buffer.alloc(maxBytes)
    const { bytesRead } = await file.read(bytes, 0, maxBytes, 0)
    return {
      organisation: Organisation.parse(JSON.parse(bytes.toString('utf8', 0, bytesRead))),
      problem: null,
    }
  } catch (error) {
    return unread(path, error)
  } finally {
    await file.close()
  }
}

function isHandle(file: unknown): file is FileHandle {
  return typeof file === 'object' && file !== null && 'fd' in file
}

function notOpened(path: string, error: unknown): ReadOrganisation {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return { organisation: null, problem: null }
  // Links are not followed: what they lead to may be anybody's.
  if (code === 'ELOOP') return { organisation: null, problem: `${path} is ignored: it is a link.` }
  return unread(path, error)
}

async function unsafe(file: FileHandle, path: string, owner: number): Promise<string | null> {
  const found = await file.stat()
  if (!found.isFile()) return 'it is no file'
  if (found.size > maxBytes) return 'it is too large'
  const folder = await stat(dirname(path))
  const isOwned = [found, folder].every(({ uid }) => uid === owner || uid === 0)
  if (!isOwned) return 'root does not own it and its folder'
  const isClosed = [found, folder].every(({ mode }) => (mode & 0o022) === 0)
  return isClosed ? null : 'others than root can write it or its folder'
}

/** Rules that nobody can read may forbid anything: every command asks until they are mended. */
function unread(path: string, error: unknown): ReadOrganisation {
  const why =
    error instanceof z.ZodError
      ? z.prettifyError(error).replaceAll(/\s+/g, ' ')
      : error instanceof SyntaxError
        ? 'it is no JSON'
        : 'it cannot be read'
  const reason = `${path} is there, but ${why}`
  return {
    organisation: { maxMode: { mode: 'ask-all', reason } },
    problem: `${reason}. Every command of a model asks until it is mended.`,
  }
}

/** The rules as they are whenever they are asked for; a problem is written down when it is new. */
export function createOrganisation(note: (message: string) => void) {
  let told: string | null = null
  return async (): Promise<Organisation | null> => {
    const { organisation, problem } = await readOrganisation()
    if (problem !== null && problem !== told) note(problem)
    told = problem
    return organisation
  }
}
