import { skillLimits } from '../../protocol/skill-limits.ts'
import { readSkillText, skillFile } from '../inspect.ts'
import { BadArchive, shown } from './bad-archive.ts'

/** A file that is to be written, by its path below the skill’s folder. */
export interface TreeFile {
  path: string
  bytes: Buffer
  executable: boolean
}

export interface SkillTree {
  name: string
  files: readonly TreeFile[]
}

/** macOS puts these into archives beside the files. */
const litter = /^__MACOSX\/|(?:^|\/)(?:\.DS_Store|\._[^/]*)$/

/**
 * The one skill among checked files: at the top, or in one folder that has its name and holds
 * everything. `top`: what the top is called; null when it has no name. Throws a BadArchive.
 */
export async function skillTree(all: readonly TreeFile[], top: string | null): Promise<SkillTree> {
  const files = all.filter(({ path }) => !litter.test(path))
  const { path, bytes } = onlySkill(files)
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : null
  const prefix = folder === null ? '' : `${folder}/`
  const stray = files.find((file) => !file.path.startsWith(prefix))
  if (stray !== undefined)
    throw new BadArchive(`${shown(stray.path)} is outside the skill’s folder ${folder}`)
  const read = await readSkillText(decodeText(bytes), folder ?? top)
  if (!read.ok) throw new BadArchive(read.error)
  return {
    name: read.value.name,
    files: files.map((file) => ({ ...file, path: file.path.slice(prefix.length) })),
  }
}

function decodeText(bytes: Buffer): string {
  if (bytes.length > skillLimits.fileBytes)
    throw new BadArchive(`${skillFile} is larger than ${skillLimits.fileBytes} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadArchive(`${skillFile} is not text in UTF-8`)
  }
}

function onlySkill(files: readonly TreeFile[]): TreeFile {
  const [only, ...others] = files.filter(({ path }) => /(?:^|\/)skill\.md$/i.test(path))
  if (only === undefined) throw new BadArchive(`it has no ${skillFile}`)
  if (others.length > 0)
    throw new BadArchive(`it has ${others.length + 1} files ${skillFile}; give one skill at a time`)
  if (!/^(?:[^/]+\/)?SKILL\.md$/.test(only.path))
    throw new BadArchive(`${skillFile} is neither at its top nor in the one folder there`)
  return only
}
