import { join } from 'node:path'
import { findSkills } from '../discover.ts'
import { removeSkill } from '../install.ts'
import { noSuchSkill } from '../no-such-skill.ts'
import { failed, printed } from '../outcome.ts'
import type { Command } from './command.ts'

export const remove: Command = {
  usage: 'skill rm NAME',
  help: 'removes a skill: the one that `skill list` means by this name',
  flags: [],
  words: { least: 1, most: 1 },
  async run({ words: [name = ''] }, place) {
    // A broken one can be removed as well; a sound one of this name goes first, as in the list.
    const found = await findSkills(place)
    const named = found.filter(({ entry }) => entry === name)
    const meant = named.find(({ skill }) => skill.ok) ?? named[0]
    if (meant === undefined)
      return failed(
        noSuchSkill(
          name,
          found.map(({ entry }) => ({ name: entry })),
        ),
      )
    const path = join(meant.folder, meant.entry)
    removeSkill(path)
    return printed(`Removed ${path}`)
  },
}
