import { join, dirname } from 'node:path'
import { openSource } from '../archive/open-source.ts'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { TreeFile } from '../archive/check-entries.ts'
import { failed, printed, plainLine } from '../outcome.ts'
import { writableRoot } from '../skill-folders.ts'
import type { Command } from './command.ts'
import { findSkills } from '../discover.ts'
import { noSuchSkill, badName, skillFile } from '../read-skill.ts'

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

interface Installation {
  /** The folder of skills it goes into. */
  root: string
  name: string
  files: readonly TreeFile[]
}

/**
 * Writes a whole skill beside its place and then moves it there. One that is there already is moved
 * aside first and comes back if anything fails.
 */
export function installSkill({ root, name, files }: Installation): string {
  mkdirSync(root, { recursive: true })
  const fresh = mkdtempSync(join(root, '.new-'))
  const target = join(root, name)
  try {
    // Made for its owner alone; a skill is as open as what lies beside it.
    chmodSync(fresh, 0o755)
    for (const file of files) writeTreeFile(fresh, file)
    const old = isThere(target) ? `${fresh}-old` : null
    if (old !== null) renameSync(target, old)
    try {
      renameSync(fresh, target)
    } catch (error) {
      if (old !== null) renameSync(old, target)
      throw error
    }
    if (old !== null) rmSync(old, { recursive: true, force: true })
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return target
}

/** Never over something; a program stays one, for its owner. */
function writeTreeFile(folder: string, { path, bytes, executable }: TreeFile): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes, { flag: 'wx', mode: executable ? 0o744 : 0o644 })
}

/** Takes a skill away; of a link only the link. */
function removeSkill(path: string): void {
  rmSync(path, { recursive: !lstatSync(path).isSymbolicLink() })
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
