import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Result } from '../../protocol/result.ts'
import { skillLimits } from '../../protocol/skill-limits.ts'
import { readSmallFile } from '../read-file.ts'
import { attempt, BadArchive } from './bad-archive.ts'
import { checkEntries, type RawEntry } from './check-entries.ts'
import { gunzipAll } from './inflate.ts'
import { readFolder } from './read-folder.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'
import { type SkillTree, skillTree } from './skill-tree.ts'

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

/** What it is says its beginning, not its name. */
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
  const tar = gunzipAll(bytes, most)
  if (tar === 'damaged') throw new BadArchive('it is damaged or cut off')
  if (tar === 'too much') throw new BadArchive('it unpacks to far more than a skill needs')
  return readTar(tar, bytes.length)
}
