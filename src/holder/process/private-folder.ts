import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A new folder only we can enter, in the first root that allows it. The parent is checked as tmux
 * checks its own: a folder another user planted under our name must not be used.
 */
export function makePrivateFolder(roots: readonly string[]): string {
  const tried: string[] = []
  for (const root of roots) {
    const parent = join(root, `tandem-${process.getuid?.() ?? 0}`)
    try {
      mkdirSync(parent, { recursive: true, mode: 0o700 })
      if (isOursAlone(parent)) {
        sweep(parent)
        return mkdtempSync(join(parent, `h${process.pid}-`))
      }
      tried.push(`${parent} is not ours alone`)
    } catch (error) {
      tried.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`no place for private files: ${tried.join('; ')}`)
}

/**
 * Makes it again where somebody has tidied it away (a logout removes what a user left in shared memory). False
 * when that cannot be.
 */
export function remakePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOursAlone(dirname(folder)) && isOursAlone(folder)
  } catch {
    return false
  }
}

function isOursAlone(folder: string): boolean {
  const stat = lstatSync(folder)
  return stat.isDirectory() && stat.uid === (process.getuid?.() ?? 0) && (stat.mode & 0o077) === 0
}

/** A holder that was killed could not clean up; its folder names it. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^h(\d+)-/.exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    rmSync(join(parent, name), { recursive: true, force: true })
  }
}
