import { access, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '../../protocol/events/seq.ts'
import { sessionFolder } from '../process/data-folder.ts'

/** A session's folder, found on disk: whether the log knows the session is another question. */
export interface SessionFolder {
  id: SessionId
  folder: string
}

/** Every session folder of the data folder. */
export async function* sessionFolders(home: string): AsyncGenerator<SessionFolder, void> {
  for (const team of await namesIn(join(home, 'teams')))
    for (const id of await namesIn(join(home, 'teams', team, 'sessions')))
      if (!id.endsWith(deletedMark)) yield { id, folder: sessionFolder(home, team, id) }
}

/** The folder that a session has although the log may not know it; null when it was deleted, or never was. */
export async function leftFolder(home: string, session: SessionId): Promise<string | null> {
  for (const team of await namesIn(join(home, 'teams'))) {
    const folder = sessionFolder(home, team, session)
    if ((await isThere(folder)) && !(await isDeleted(folder))) return folder
  }
  return null
}

/** Beside the folder: it has to outlast every file in it. */
const deletedMark = '.deleted'

/**
 * Says, before the rows of a session go, that a person wants it gone: a folder without rows was otherwise lost by a
 * damaged database, and that has to be told.
 */
export async function markDeleted(folder: string): Promise<void> {
  // Without its parent there is no folder that could be taken for a lost session.
  await writeFile(folder + deletedMark, '', { mode: 0o600 }).catch(() => undefined)
}

/** The folder is gone. */
export async function unmarkDeleted(folder: string): Promise<void> {
  await rm(folder + deletedMark, { force: true })
}

export function isDeleted(folder: string): Promise<boolean> {
  return isThere(folder + deletedMark)
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
