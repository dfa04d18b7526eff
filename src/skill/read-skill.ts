import type { SkillInfo } from '../protocol/http/skill.ts'
import { plainLine, plainText } from './outcome.ts'
import { readdir } from 'node:fs/promises'
import { join, basename } from 'node:path'
import { ok, refused, type Result } from '../base/result.ts'
import { skillLimits, skillNamePattern } from '../protocol/skill-limits.ts'
import { readFrontmatter } from './frontmatter.ts'
import { followed, readSmallText, isWithin } from './read-file.ts'

/** Names the skills that are nearly meant, or all, if they are few. */
export function noSuchSkill(name: string, skills: readonly Pick<SkillInfo, 'name'>[]): string {
  const said = `There is no skill "${plainLine(name).slice(0, 80)}".`
  const names = skills.map((skill) => skill.name)
  const near = names.filter((other) => isNear(name, other)).slice(0, 5)
  if (near.length > 0) return `${said} Did you mean: ${near.join(', ')}?`
  if (names.length === 0) return `${said} There are none yet.`
  const shown = names.slice(0, 10).join(', ')
  return `${said} There are: ${shown}${names.length > 10 ? ` and ${names.length - 10} more` : ''}.`
}

/** One is in the other, or they begin alike. */
function isNear(wanted: string, name: string): boolean {
  const typed = wanted.toLowerCase()
  if (typed.length < 3) return name.startsWith(typed)
  return name.includes(typed) || typed.includes(name) || name.startsWith(typed.slice(0, 3))
}

/** An activated skill as text: its folder, the other files in it, and its instructions. */
export async function readSkill(
  info: Pick<SkillInfo, 'name' | 'path' | 'source'>,
): Promise<Result<string, string>> {
  // A project’s was followed when it was found; a link there now was put there since.
  if (info.source === 'project' && (await followed(info.path)) !== info.path)
    return refused(`The skill ${info.name} is not at ${info.path} any more. Run: skill list`)
  const skill = await inspectSkill(info.path, info)
  if (!skill.ok)
    return refused(`The skill ${info.name} at ${info.path} cannot be read: ${skill.error}.`)
  const head = `Skill ${info.name}, in the folder ${info.path}`
  const files = await otherFiles(info.path)
  return ok([head, ...files, '', bodyOf(skill.value.body)].join('\n'))
}

function bodyOf(body: string): string {
  const text = plainText(body).trim()
  const over = text.length - skillLimits.bodyChars
  if (over <= 0) return text === '' ? '(no instructions)' : text
  return `${text.slice(0, skillLimits.bodyChars)}\n[${over} more characters in ${skillFile}]`
}

async function otherFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  await listInto(found, folder)
  if (found.length === 0) return []
  const shown = found.slice(0, skillLimits.listedFiles).map((path) => `- ${plainLine(path)}`)
  const more = found.length > shown.length ? ['- and more'] : []
  return ['Its other files:', ...shown, ...more]
}

/** Depth first, in order, one more than are listed. Links are named, not followed. */
async function listInto(found: string[], folder: string, below = ''): Promise<void> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => [])
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (found.length > skillLimits.listedFiles) return
    const path = join(below, entry.name)
    if (path === skillFile || entry.name.startsWith('.')) continue
    if (entry.isDirectory()) await listInto(found, folder, path)
    else found.push(path)
  }
}

export const skillFile = 'SKILL.md'

export interface Skill extends Pick<SkillInfo, 'name' | 'description'> {
  body: string
}

/** A folder as a skill by this name; the error says what is wrong with it. */
export async function inspectSkill(
  folder: string,
  { source, name = basename(folder) }: { source: SkillInfo['source']; name?: string },
): Promise<Result<Skill, string>> {
  const file = join(folder, skillFile)
  if (source === 'project') {
    const [at, real] = await Promise.all([followed(file), followed(folder)])
    if (at !== null && real !== null && !isWithin(at, real))
      return refused(`${skillFile} is a link that leads out of its folder`)
  }
  const text = await readSmallText(file, skillLimits.fileBytes)
  if (!text.ok) return refused(`${skillFile} ${text.error}`)
  return readSkillText(text.value, name)
}

/** `folder`: the name it must have; null when any will do. */
export async function readSkillText(
  text: string,
  folder: string | null,
): Promise<Result<Skill, string>> {
  const read = await readFrontmatter(text)
  if (!read.ok) return read
  const { fields, body } = read.value
  const name = fields.get('name')
  if (name === undefined)
    return refused(
      `${skillFile} does not begin with \`---\`, \`name: …\`, \`description: …\`, \`---\``,
    )
  const bad = badName(name)
  if (bad !== null) return refused(bad)
  if (folder !== null && name !== folder)
    return refused(
      `its name is ${name}, but its folder is ${plainLine(folder)}; they must be the same`,
    )
  const description = plainLine(fields.get('description') ?? '')
  if (description === '')
    return refused('it has no description: say what it does and when to use it')
  if (description.length > skillLimits.descriptionChars)
    return refused(
      `its description has ${description.length} characters; at most ${skillLimits.descriptionChars} are allowed`,
    )
  return ok({ name, description, body })
}

/** The fault of a name, or null. */
export function badName(name: string): string | null {
  if (name.length > skillLimits.nameChars)
    return `its name is longer than ${skillLimits.nameChars} characters`
  if (skillNamePattern.test(name)) return null
  return `"${plainLine(name)}" is no name for a skill: use lower-case words joined by single hyphens, as in review-code`
}
