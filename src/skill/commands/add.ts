import { join } from 'node:path'
import { openSource } from '../archive/open-source.ts'
import { installSkill, isThere } from '../install.ts'
import { failed, printed } from '../outcome.ts'
import { writableRoot } from '../own-root.ts'
import { plainLine } from '../plain-text.ts'
import type { Command } from './command.ts'

export const add: Command = {
  usage: 'skill add FOLDER|ARCHIVE [--user] [--force]',
  help: 'a skill from a folder or a .tar, .tar.gz, .tgz, .zip or .skill archive; --force replaces one',
  flags: ['--user', '--force'],
  words: { least: 1, most: 1 },
  async run({ words: [source = ''], flags }, place) {
    const root = await writableRoot(place, { user: flags.has('--user') })
    if (!root.ok) return failed(root.error)
    const tree = await openSource(source)
    if (!tree.ok)
      return failed(
        `${plainLine(source)} was not added: ${plainLine(tree.error)}. Nothing was written.`,
      )
    const { name, files } = tree.value
    const target = join(root.value, name)
    if (isThere(target) && !flags.has('--force'))
      return failed(`${target} is there already. Add --force to replace it.`)
    installSkill({ root: root.value, name, files })
    return printed(
      `Added ${name} (${files.length === 1 ? '1 file' : `${files.length} files`}): ${target}`,
    )
  },
}
