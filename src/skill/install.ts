import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { TreeFile } from './archive/skill-tree.ts'

export interface Installation {
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
export function removeSkill(path: string): void {
  rmSync(path, { recursive: !lstatSync(path).isSymbolicLink() })
}

export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
