import { parse } from 'smol-toml'
import type { CommandFile } from '../../session/catalogue.ts'
import { readFrontmatter } from '../../skill/frontmatter.ts'
import { plainLine, plainText } from '../../skill/outcome.ts'
import { join } from 'node:path'
import { configFolder, homeFolder, type SkillPlace } from '../../skill/skill-folders.ts'
import { readdir, stat } from 'node:fs/promises'
import { skillLimits } from '../../protocol/skill-limits.ts'
import { commandName, sameName } from '../../session/commands/grammar.ts'
import { readSmallText, followed, isWithin } from '../../skill/read-file.ts'

type Read = Pick<CommandFile, 'description' | 'template'>

/** The contents of a command file; null when it is empty or cannot be read. */
async function readCommandFile(text: string, syntax: CommandFile['syntax']): Promise<Read | null> {
  const read = syntax === 'md' ? await readMarkdown(text) : readToml(text)
  if (read === null || read.template.trim() === '') return null
  const template = plainText(read.template)
  return { template, description: cut(plainLine(read.description) || firstLine(template)) }
}

async function readMarkdown(text: string): Promise<Read | null> {
  const quoted = text.replace(
    bracketed,
    (_, key: string, hint: string) => key + JSON.stringify(hint),
  )
  const read = await readFrontmatter(quoted)
  if (!read.ok) return null
  const { fields, body } = read.value
  const hint = fields.get('argument-hint') ?? ''
  const description = fields.get('description') ?? ''
  return {
    template: body.trim(),
    description: hint === '' ? description : `${description || firstLine(body)} ${hint}`,
  }
}

/** `argument-hint: [file] [style]` is meant as it stands there; YAML would see lists. */
const bracketed = /^(argument-hint:[ \t]+)(\[[^\n]*?)[ \t\r]*$/m

function readToml(text: string): Read | null {
  try {
    const { prompt, description } = parse(text)
    if (typeof prompt !== 'string') return null
    return { template: prompt, description: typeof description === 'string' ? description : '' }
  } catch {
    return null
  }
}

function firstLine(text: string): string {
  return plainLine(/\S[^\n]*/.exec(text)?.[0] ?? '').replace(/^#+ /, '')
}

/** It stands in a list, beside its name. */
const descriptionChars = 200

function cut(line: string): string {
  return line.length <= descriptionChars ? line : `${line.slice(0, descriptionChars - 1)}…`
}

interface CommandRoot extends Pick<CommandFile, 'source' | 'syntax'> {
  folder: string
}

const projectFolders = [
  { folder: '.tandem/commands', syntax: 'md' },
  { folder: '.claude/commands', syntax: 'md' },
  { folder: '.gemini/commands', syntax: 'toml' },
] as const

/** The folders whose command files count, the first one first. */
function commandRoots({ workspace, trusted, env }: SkillPlace): readonly CommandRoot[] {
  const home = homeFolder(env)
  return [
    ...(trusted ? projectFolders : []).map(({ folder, syntax }) => ({
      folder: join(workspace, folder),
      syntax,
      source: 'project' as const,
    })),
    { folder: join(configFolder(env), 'tandem/commands'), syntax: 'md', source: 'user' },
    { folder: join(home, '.claude/commands'), syntax: 'md', source: 'user' },
    { folder: join(home, '.gemini/commands'), syntax: 'toml', source: 'user' },
  ]
}

/** The command files that count, one a name, sorted by name. One that cannot be read is left out. */
export async function discoverCommandFiles(place: SkillPlace): Promise<readonly CommandFile[]> {
  const workspace = await followed(place.workspace)
  const named = new Map<string, CommandFile>()
  for (const root of commandRoots(place))
    for (const path of await pathsBelow(root)) {
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
  // A project's command file must lie in the project.
  if (source === 'project' && (workspace === null || !isWithin(file, workspace))) return null
  const text = await readSmallText(file, skillLimits.commandFileBytes)
  if (!text.ok) return null
  const read = await readCommandFile(text.value, syntax)
  return read === null ? null : { name, source, syntax, ...read }
}

/** A part of a name that can be typed behind a slash; a colon in it would look like a folder. */
const namePart = new RegExp(`^(?!.*:)${commandName}$`, 'u')

/** In order, folders after files; what begins with a dot or could not be typed is left out. */
async function pathsBelow(root: CommandRoot, below = '', depth = 0): Promise<readonly string[]> {
  const at = join(root.folder, below)
  const names = (await readdir(at).catch(() => [])).filter((name) => namePart.test(name)).sort()
  const files: string[] = []
  const folders: string[] = []
  for (const name of names.slice(0, skillLimits.folderEntries)) {
    const path = below === '' ? name : `${below}/${name}`
    if (name.endsWith(`.${root.syntax}`)) files.push(path)
    else if ((await stat(join(at, name)).catch(() => null))?.isDirectory()) folders.push(path)
  }
  if (depth >= skillLimits.commandFolderDepth) return files
  for (const folder of folders) {
    if (files.length >= skillLimits.commandFiles) break
    files.push(...(await pathsBelow(root, folder, depth + 1)))
  }
  return files.slice(0, skillLimits.commandFiles)
}
