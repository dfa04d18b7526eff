import { skillLimits } from '../../protocol/skill-limits.ts'
import { BadArchive, shown } from './bad-archive.ts'
import { readSkillText, skillFile } from '../read-skill.ts'

/** One entry as an archive or a folder has it: nothing of it is believed yet. */
export interface RawEntry extends TreeFile {
  kind: 'file' | 'folder'
}

interface Taken {
  path: string
  kind: RawEntry['kind']
  /** Not only the folder of another one. */
  isEntry: boolean
}

/**
 * The files with clean paths. Throws a BadArchive unless all of them can be written below one folder
 * on any file system, each to a place of its own.
 */
export function checkEntries(entries: readonly RawEntry[]): readonly TreeFile[] {
  const taken = new Map<string, Taken>()
  return entries.flatMap((entry) => {
    const path = cleanPath(entry)
    if (path === '') return []
    const parts = path.split('/')
    for (let above = 1; above < parts.length; above += 1)
      take(taken, { path: parts.slice(0, above).join('/'), kind: 'folder', isEntry: false })
    take(taken, { path, kind: entry.kind, isEntry: true })
    const { bytes, executable } = entry
    return entry.kind === 'file' ? [{ path, bytes, executable }] : []
  })
}

function take(taken: Map<string, Taken>, wanted: Taken): void {
  const { path, kind, isEntry } = wanted
  const known = taken.get(fold(path))
  if (known === undefined) {
    taken.set(fold(path), wanted)
    return
  }
  if (known.path !== path)
    throw new BadArchive(`${shown(path)} and ${shown(known.path)} are one name on some disks`)
  if (known.kind !== kind) throw new BadArchive(`${shown(path)} is both a file and a folder`)
  if (known.isEntry && isEntry) throw new BadArchive(`${shown(path)} is there twice`)
  known.isEntry ||= isEntry
}

/** Two paths with the same fold would be one file on a disk that ignores case or normalises. */
function fold(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

/** `tar` writes `./a` for what it found in `.`, and folders end in a slash; the top itself is ''. */
function cleanPath({ path, kind }: RawEntry): string {
  if (kind === 'folder' && (path === './' || path === '.')) return ''
  const bare = path.replace(/^\.\//, '')
  const trimmed = kind === 'folder' ? bare.replace(/\/$/, '') : bare
  const problem = badPath(trimmed)
  if (problem !== null) throw new BadArchive(`the path ${shown(path)} ${problem}`)
  return trimmed
}

function badPath(path: string): string | null {
  const parts = path.split('/')
  if (path.length > skillLimits.pathChars) return 'is too long'
  if (/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(path)) return 'has a control character'
  if (path.includes('\\')) return 'has a backslash'
  if (path.startsWith('/')) return 'is absolute'
  // Any part may come first, for the skill's own folder is taken off.
  if (parts.some((part) => /^[a-z]:/i.test(part))) return 'has a drive letter'
  if (parts.includes('..')) return 'leads upwards'
  if (parts.includes('.') || parts.includes('')) return 'has an empty part'
  if (parts.some((part) => Buffer.byteLength(part) > 255)) return 'has a part that is too long'
  return null
}

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
