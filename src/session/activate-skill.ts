import type { Refusal } from '../protocol/refusal.ts'
import type { Append } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { openCommand } from './commands/command.ts'
import { nearest } from './nearest.ts'
import { sayPrompt } from './prompt.ts'
import { refuse } from './refuse.ts'

/** Has the model read a skill; with a wish, a turn about that follows. */
export function activateSkill(
  append: Append,
  { name, wish, text }: { name: string; wish: string; text: string },
  catalogue: Catalogue,
): Refusal | null {
  const names = catalogue.skills.map((skill) => skill.name)
  if (!names.includes(name)) return unknownSkill(name, names)
  if (wish !== '')
    return sayPrompt(append, { text: wish, with: [{ kind: 'skill', name, text }] }, catalogue)
  openCommand(append, { name: 'activate_skill', text }, { skill: name })
  return null
}

function unknownSkill(name: string, names: readonly string[]): Refusal {
  const near = nearest(name, names)
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : names.length > 0
        ? 'See /skills for those there are.'
        : 'There are none here yet; see /skills.'
  return refuse('unknown_skill', `There is no skill "${name}". ${hint}`, { near })
}
