import { discoverSkills, hiddenSkills, findSkills, type FoundSkill } from '../discover.ts'
import { printed, failed, type Outcome, plainLine } from '../outcome.ts'
import type { Command } from './command.ts'
import { noSuchSkill, readSkill, inspectSkill } from '../read-skill.ts'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'

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

export const validate: Command = {
  usage: 'skill validate [FOLDER|NAME]',
  help: 'whether a skill, or every skill, is as it should be',
  flags: [],
  words: { least: 0, most: 1 },
  async run({ words: [wanted] }, place) {
    const found = await findSkills(place)
    if (wanted === undefined) return verdict(found)
    const named = found.filter(({ entry }) => entry === wanted)
    if (named.length > 0) return verdict(named)
    const folder = resolve(wanted)
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return failed(
        noSuchSkill(
          wanted,
          found.map(({ entry: name }) => ({ name })),
        ),
      )
    return verdict([{ path: folder, skill: await inspectSkill(folder, { source: 'user' }) }])
  },
}

function verdict(found: readonly Pick<FoundSkill, 'path' | 'skill'>[]): Outcome {
  const lines = found.map(({ path, skill }) =>
    skill.ok ? `ok  ${plainLine(path)}` : `bad ${plainLine(path)}: ${plainLine(skill.error)}`,
  )
  const code = found.every(({ skill }) => skill.ok) ? 0 : 1
  return { ...printed(...lines), code }
}
