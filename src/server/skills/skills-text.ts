import type { Dialect } from '../../protocol/events/epoch.ts'
import type { SkillInfo } from '../../protocol/http/skill.ts'
import { skillLimits } from '../../protocol/skill-limits.ts'

/** In words of the dialect: only a model with tools can call one. */
const heads: Readonly<Record<Dialect, string>> = {
  tags: 'Skills: instructions for certain tasks. When a task fits one, read it before you begin: run `skill show NAME` in the shell.',
  tools:
    'Skills: instructions for certain tasks. When a task fits one, read it before you begin: call activate_skill with its name, or run `skill show NAME` in the shell.',
}

type Named = Pick<SkillInfo, 'name' | 'description'>

/** The list of skills in the first record; '' when there are none. */
export function skillsText(skills: readonly Named[], dialect: Dialect): string {
  if (skills.length === 0) return ''
  const head = heads[dialect]
  const whole = `${head}\n${textOf(skills, skillLimits.descriptionChars)}`
  if (whole.length <= skillLimits.textChars) return whole
  const short = `${head}\n${textOf(skills, skillLimits.shortDescriptionChars)}`
  if (short.length <= skillLimits.textChars) return short
  const lines = short.slice(0, skillLimits.textChars).split('\n').slice(0, -1)
  const left = skills.length - (lines.length - 1)
  return [...lines, `- and ${left} more: \`skill list --long\` shows them all`].join('\n')
}

function textOf(skills: readonly Named[], descriptionChars: number): string {
  return skills
    .map(({ name, description }) => `- ${name}: ${cut(description, descriptionChars)}`)
    .join('\n')
}

function cut(text: string, chars: number): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= chars ? line : `${line.slice(0, chars - 1)}…`
}
