import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Result, refused } from '../base/result.ts'
import type { SkillInfo } from '../protocol/http/skill.ts'
import { skillLimits } from '../protocol/skill-limits.ts'
import { inspectSkill, type Skill } from './read-skill.ts'
import { type SkillPlace, type SkillRoot, skillRoots } from './skill-folders.ts'
import { followed, isWithin } from './read-file.ts'

/** A folder that should be a skill, and what it is or what is wrong with it. */
export interface FoundSkill extends SkillRoot {
  /** The name of its folder. */
  entry: string
  path: string
  skill: Result<Skill, string>
}

/** The skills that count, one a name, sorted by name. */
export async function discoverSkills(place: SkillPlace): Promise<readonly SkillInfo[]> {
  const named = new Map<string, SkillInfo>()
  for (const { skill, source, path } of await findSkills(place)) {
    if (!skill.ok || named.has(skill.value.name)) continue
    const { name, description } = skill.value
    named.set(name, { name, description, source, path })
  }
  return [...named.values()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, skillLimits.skills)
}

/** The names that would be there as well if the workspace were trusted. */
export async function hiddenSkills(place: SkillPlace): Promise<readonly string[]> {
  if (place.trusted) return []
  const shown = new Set((await discoverSkills(place)).map(({ path }) => path))
  const all = await findSkills({ ...place, trusted: true })
  const hidden = all.filter(
    ({ source, skill, path }) => source === 'project' && skill.ok && !shown.has(path),
  )
  return [...new Set(hidden.map(({ entry }) => entry))].sort()
}

/** Everything in the folders of skills, sound or broken, in the order in which it counts. */
export async function findSkills(place: SkillPlace): Promise<readonly FoundSkill[]> {
  const workspace = await followed(place.workspace)
  const found = skillRoots(place).map(async (root) => {
    const entries = await entriesOf(root.folder)
    return Promise.all(entries.map((entry) => findSkill({ ...root, entry }, workspace)))
  })
  return (await Promise.all(found)).flat()
}

async function findSkill(
  { source, folder, entry }: SkillRoot & { entry: string },
  workspace: string | null,
): Promise<FoundSkill> {
  const link = join(folder, entry)
  const at = { source, folder, entry, path: link }
  if (source === 'user') return { ...at, skill: await inspectSkill(link, { source }) }
  const path = await followed(link)
  if (path === null || workspace === null || !isWithin(path, workspace))
    return { ...at, skill: refused('it is a link that leads out of the workspace') }
  const skill = await inspectSkill(link, { source })
  return { ...at, path, skill }
}

/** Folders and links to such; what begins with a dot is not meant to be found. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter(
      (entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'),
    )
    .map(({ name }) => name)
    .sort()
    .slice(0, skillLimits.folderEntries)
}
