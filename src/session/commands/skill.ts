import { activateSkill } from '../activate-skill.ts'
import type { Command } from './command.ts'

export const skill: Command = {
  name: 'skill',
  aliases: [],
  usage: '/skill <name> [what to do with it]',
  summary: 'have the model read a skill, and perhaps begin',
  reachesModel: true,
  grammar: {
    words: [{ name: 'name', kind: 'skill' }],
    rest: { name: 'what to do', kind: 'text', optional: true },
  },
  run(append, { args, text }, catalogue) {
    const wish = args.get('what to do') ?? ''
    return activateSkill(append, { name: args.get('name') ?? '', wish, text }, catalogue)
  },
}
