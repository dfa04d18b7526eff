import type { SkillInfo } from '../protocol/skill.ts'
import { plainLine } from './plain-text.ts'

/** What to say of a name that no skill has; names that are nearly it, or all, if they are few. */
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
