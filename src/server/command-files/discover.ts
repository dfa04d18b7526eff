import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { skillLimits } from '../../protocol/skill-limits.ts'
import type { CommandFile } from '../../session/catalogue.ts'
import { commandName, sameName } from '../../session/command-name.ts'
import { readSmallText } from '../../skill/read-file.ts'
import type { SkillPlace } from '../../skill/skill-folders.ts'
import { followed, isWithin } from '../../skill/within.ts'
import { type CommandRoot, commandRoots } from './command-roots.ts'
import { readCommandFile } from './read-command-file.ts'

/** The command files that count, one a name, sorted by name. One that cannot be read is left out. */
export async function discoverCommandFiles(place: SkillPlace): Promise<readonly CommandFile[]> {
  const workspace = await followed(place.workspace)
  const named = new Map<string, CommandFile>()
  for (const root of commandRoots(place))
    for (const path of await pathsBelow(root, { below: '', depth: 0 })) {
      const name = sameName(path.slice(0, -root.syntax.length - 1).replaceAll('/', ':'))
      if (named.size >= skillLimits.commandFiles) break
      if (named.has(name)) continue
      const file = await readOne(root, { path, name, workspace })
      if (file !== null) named.set(name, file)
    }
  return [...named.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function readOne(
  { folder, source, syntax }: CommandRoot,
  { path, name, workspace }: { path: string; name: string; workspace: string | null },
): Promise<CommandFile | null> {
  const file = await followed(join(folder, path))
  if (file === null) return null
  // What a project names must be the project’s own.
  if (source === 'project' && (workspace === null || !isWithin(file, workspace))) return null
  const text = await readSmallText(file, skillLimits.commandFileBytes)
  if (!text.ok) return null
  const read = await readCommandFile(text.value, syntax)
  return read === null ? null : { name, source, syntax, ...read }
}

/** A part of a name that can be typed behind a slash; a colon in it would look like a folder. */
const namePart = new RegExp(`^(?!.*:)${commandName}$`, 'u')

/** In order, folders after files; what begins with a dot or could not be typed is left out. */
async function pathsBelow(
  root: CommandRoot,
  { below, depth }: { below: string; depth: number },
): Promise<readonly string[]> {
  const at = join(root.folder, below)
  const names = (await readdir(at).catch(() => [])).filter((name) => namePart.test(name)).sort()
  const files: string[] = []
  const folders: string[] = []
  for (const name of names.slice(0, skillLimits.folderEntries)) {
    const path = below === '' ? name : `${below}/${name}`
    if (name.endsWith(`.${root.syntax}`)) files.push(path)
    else if (await isFolder(join(at, name))) folders.push(path)
  }
  if (depth >= skillLimits.commandFolderDepth) return files
  for (const folder of folders) {
    if (files.length >= skillLimits.commandFiles) break
    files.push(...(await pathsBelow(root, { below: folder, depth: depth + 1 })))
  }
  return files.slice(0, skillLimits.commandFiles)
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
