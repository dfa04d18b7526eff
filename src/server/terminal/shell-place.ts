import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { ok, refused, type Result } from '../../protocol/result.ts'
import type { ShellName } from '../../protocol/shell.ts'
import { pickShell } from './integration/pick-shell.ts'

type Env = Readonly<Record<string, string>>

/** The program to start, or a sentence why not. */
export function findShell(
  shell: string,
  env: Env,
): Result<{ file: string; name: ShellName }, string> {
  const name = pickShell(shell)
  if (!name.ok) return name
  const places = isAbsolute(shell)
    ? [shell]
    : (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).map((at) => join(at, shell))
  const file = places.find(isExecutable)
  return file === undefined
    ? refused(`Cannot start the shell "${shell}": no such program. Install it or set --shell.`)
    : ok({ file, name: name.value })
}

/** The folder asked for; else the nearest one above it that exists, or the home, and a word about it. */
export function findFolder(wanted: string, env: Env): { cwd: string; notice: string | null } {
  if (isFolder(wanted)) return { cwd: wanted, notice: null }
  let above = dirname(wanted)
  while (above !== dirname(above) && !isFolder(above)) above = dirname(above)
  const home = env['HOME'] ?? '/'
  const cwd = above === dirname(above) && isFolder(home) ? home : above
  return {
    cwd,
    notice: `The folder ${wanted} is not there (any more); the shell starts in ${cwd}.`,
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
