import { discoverSkills, hiddenSkills } from '../discover.ts'
import { printed } from '../outcome.ts'
import type { Command } from './command.ts'

export const list: Command = {
  usage: 'skill list [--long]',
  help: 'the skills that can be used; --long adds what they are for',
  flags: ['--long'],
  words: { least: 0, most: 0 },
  async run({ flags }, place) {
    const skills = await discoverSkills(place)
    const isLong = flags.has('--long')
    const lines = skills.map(({ name, description }) =>
      isLong ? `- ${name}: ${description}` : `- ${name}`,
    )
    return { ...printed(...lines), err: notes(skills.length, await hiddenSkills(place)) }
  },
}

function notes(count: number, hidden: readonly string[]): string {
  if (hidden.length > 0)
    return `Not shown, because this folder is not trusted (type /trust): ${hidden.join(', ')}\n`
  return count === 0 ? 'There are no skills yet. Make one with: skill new NAME\n' : ''
}
