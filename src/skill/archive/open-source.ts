import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, basename, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { skillLimits } from '../../protocol/skill-limits.ts'
import { whyNot, readSmallFile } from '../read-file.ts'
import { BadArchive, shown, attempt } from './bad-archive.ts'
import { type Budget, openBudget, unpackAll } from './budget.ts'
import { type RawEntry, checkEntries, type SkillTree, skillTree } from './check-entries.ts'
import type { Result } from '../../base/result.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'

/** A folder read as an archive would be, by the same rules; its git data stays where it is. */
function readFolder(folder: string): readonly RawEntry[] {
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

/** The skill in a folder or an archive, all of it checked; nothing is written. */
export async function openSource(path: string): Promise<Result<SkillTree, string>> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    return attempt(async () => skillTree(checkEntries(readFolder(path)), basename(resolve(path))))
  const bytes = await readSmallFile(path, skillLimits.archiveBytes)
  return attempt(async () => {
    if (!bytes.ok) throw new BadArchive(`it ${bytes.error}`)
    return readArchive(bytes.value)
  })
}

/** The one skill of an archive, by its bytes. Throws a BadArchive. */
export async function readArchive(bytes: Buffer): Promise<SkillTree> {
  return skillTree(checkEntries(entriesOf(bytes)), null)
}

/** The first bytes decide, not the name. */
function entriesOf(bytes: Buffer): readonly RawEntry[] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return entriesOfTarGz(bytes)
  if (bytes.toString('latin1', 0, 2) === 'PK') return readZip(bytes)
  if (bytes.toString('latin1', 257, 262) === 'ustar') return readTar(bytes)
  throw new BadArchive('it is neither a folder nor a .tar, .tar.gz, .tgz, .zip or .skill archive')
}

/** Headers and padding of a tar file come on top of what it holds. */
const tarBytes = skillLimits.unpackedBytes + skillLimits.unpackedFiles * 4 * 512

function entriesOfTarGz(bytes: Buffer): readonly RawEntry[] {
  const ratioBytes = bytes.length * skillLimits.unpackedRatio
  const most = Math.min(tarBytes, Math.max(2 * skillLimits.ratioCountsFromBytes, ratioBytes))
  const tar = unpackAll(gunzipSync, bytes, most)
  if (tar === 'damaged') throw new BadArchive('it is damaged or cut off')
  if (tar === 'too much') throw new BadArchive('it unpacks to far more than a skill needs')
  return readTar(tar, bytes.length)
}
