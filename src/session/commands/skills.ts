import { nearest } from '../../base/nearest.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { type Append, refuse } from '../append.ts'
import type { Catalogue } from '../catalogue.ts'
import { sayPrompt } from '../decide/prompt.ts'
import { type Command, openCommand } from './command.ts'

export const skill: Command = {
  name: 'skill',
  usage: '/skill <name> [what to do with it]',
  summary: 'have the model read a skill, and perhaps begin',
  reachesModel: true,
  grammar: {
    words: [{ name: 'name', kind: 'skill' }],
    rest: { name: 'what to do', kind: 'text', optional: true },
  },
  run(append, { args, text }, catalogue) {
    const prompt = args.get('what to do') ?? ''
    return activateSkill(append, { name: args.get('name') ?? '', prompt, text }, catalogue)
  },
}

export const skills: Command = {
  name: 'skills',
  usage: '/skills',
  summary: 'the skills there are',
  reachesModel: false,
}

/** Has the model read a skill; with a prompt, a turn follows. */
export function activateSkill(
  append: Append,
  { name, prompt, text }: { name: string; prompt: string; text: string },
  catalogue: Catalogue,
): Refusal | null {
  const names = catalogue.skills.map((skill) => skill.name)
  if (!names.includes(name)) return unknownSkill(name, names)
  if (prompt !== '')
    return sayPrompt(append, { text: prompt, with: [{ kind: 'skill', name, text }] }, catalogue)
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
