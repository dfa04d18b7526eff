import { join } from 'node:path'
import { badName, skillFile } from '../inspect.ts'
import { installSkill, isThere } from '../install.ts'
import { failed, printed } from '../outcome.ts'
import { writableRoot } from '../own-root.ts'
import type { Command } from './command.ts'

export const create: Command = {
  usage: 'skill new NAME [--user]',
  help: 'a new skill to fill in: the project’s, or with --user your own',
  flags: ['--user'],
  words: { least: 1, most: 1 },
  async run({ words: [name = ''], flags }, place) {
    const bad = badName(name)
    if (bad !== null) return failed(bad)
    const root = await writableRoot(place, { user: flags.has('--user') })
    if (!root.ok) return failed(root.error)
    if (isThere(join(root.value, name)))
      return failed(`${join(root.value, name)} is there already. Edit it, or choose another name.`)
    const file = { path: skillFile, bytes: Buffer.from(template(name)), executable: false }
    const folder = installSkill({ root: root.value, name, files: [file] })
    return printed(
      `Made ${join(folder, skillFile)}`,
      `Fill it in, then run: skill validate ${name}`,
    )
  },
}

function template(name: string): string {
  const title = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())
  return `---
name: ${name}
description: Say here what this skill does, and when it is to be used.
---

# ${title}

Say here, step by step, how it is done. Put longer texts and programs into files beside this one and
name them here by their path; they are read only when they are needed.
`
}
