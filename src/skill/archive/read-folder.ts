import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { skillLimits } from '../../protocol/skill-limits.ts'
import { whyNot } from '../read-file.ts'
import { BadArchive, shown } from './bad-archive.ts'
import { type Budget, openBudget } from './budget.ts'
import type { RawEntry } from './check-entries.ts'

/** A folder read as an archive would be, by the same rules; its git data stays where it is. */
export function readFolder(folder: string): readonly RawEntry[] {
  return entriesBelow('', { folder, budget: openBudget(skillLimits.unpackedBytes) })
}

interface Source {
  folder: string
  budget: Budget
}

function entriesBelow(path: string, source: Source): readonly RawEntry[] {
  return namesIn(join(source.folder, path))
    .filter((name) => name !== '.git')
    .flatMap((name) => entriesAt(path === '' ? name : `${path}/${name}`, source))
}

function entriesAt(path: string, source: Source): readonly RawEntry[] {
  const { folder, budget } = source
  budget.addEntry()
  const at = join(folder, path)
  const stat = lstatSync(at)
  if (path.length > skillLimits.pathChars)
    throw new BadArchive(`the path ${shown(path)} is too long`)
  if (stat.isDirectory()) {
    const own: RawEntry = { path, kind: 'folder', bytes: Buffer.alloc(0), executable: false }
    return [own, ...entriesBelow(path, source)]
  }
  if (!stat.isFile())
    throw new BadArchive(`${shown(path)} is a link or a device; only files and folders are taken`)
  budget.addBytes(stat.size)
  return [{ path, kind: 'file', bytes: readBytes(at), executable: (stat.mode & 0o100) !== 0 }]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch (error) {
    throw new BadArchive(`the folder ${folder} ${whyNot(error)}`, { cause: error })
  }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new BadArchive(`the file ${file} ${whyNot(error)}`, { cause: error })
  }
}
