import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { findSkills, type FoundSkill } from '../discover.ts'
import { inspectSkill } from '../inspect.ts'
import { noSuchSkill } from '../no-such-skill.ts'
import { failed, type Outcome, printed } from '../outcome.ts'
import { plainLine } from '../plain-text.ts'
import type { Command } from './command.ts'

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
