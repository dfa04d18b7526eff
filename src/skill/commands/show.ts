import { discoverSkills } from '../discover.ts'
import { noSuchSkill } from '../no-such-skill.ts'
import { failed, printed } from '../outcome.ts'
import { readSkill } from '../read-skill.ts'
import type { Command } from './command.ts'

export const show: Command = {
  usage: 'skill show NAME',
  help: 'the instructions of a skill, and where its files are',
  flags: [],
  words: { least: 1, most: 1 },
  async run({ words: [name = ''] }, place) {
    const skills = await discoverSkills(place)
    const found = skills.find((skill) => skill.name === name)
    if (found === undefined) return failed(noSuchSkill(name, skills))
    const text = await readSkill(found)
    return text.ok ? printed(text.value) : failed(text.error)
  },
}
