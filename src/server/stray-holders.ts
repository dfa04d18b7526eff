import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '../protocol/seq.ts'
import { findHolder } from './terminal/holder-file.ts'

/** A session's folder that names a living holder. */
export interface HeldFolder {
  id: SessionId
  folder: string
}

/** Every session folder of the data folder whose run file names a holder that lives. */
export async function* heldFolders(home: string): AsyncGenerator<HeldFolder, void> {
  for (const team of await namesIn(join(home, 'teams')))
    for (const id of await namesIn(join(home, 'teams', team, 'sessions'))) {
      const folder = join(home, 'teams', team, 'sessions', id)
      const hasRunFile = await access(join(folder, 'holder.json')).then(
        () => true,
        () => false,
      )
      if (hasRunFile && findHolder(folder) !== null) yield { id, folder }
    }
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
