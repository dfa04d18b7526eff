import { basename, join } from 'node:path'
import { ok, refused, type Result } from '../base/result.ts'
import type { SkillInfo } from '../protocol/http/skill.ts'
import { skillLimits, skillNamePattern } from '../protocol/skill-limits.ts'
import { readFrontmatter } from './frontmatter.ts'
import { plainLine } from './outcome.ts'
import { readSmallText, followed, isWithin } from './read-file.ts'

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
