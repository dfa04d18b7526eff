import { access, constants, stat } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { ok, refused, type Result } from '../../../base/result.ts'
import type { ShellName } from '../../../protocol/events/shell.ts'
import { pickShell } from '../integration/pick-shell.ts'

type Env = Readonly<Record<string, string>>

/** The program to start, or a sentence why not. */
export async function findShell(
  shell: string,
  env: Env,
): Promise<Result<{ file: string; name: ShellName }, string>> {
  const name = pickShell(shell)
  if (!name.ok) return name
  const candidates = isAbsolute(shell)
    ? [shell]
    : (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).map((at) => join(at, shell))
  for (const file of candidates) if (await isExecutable(file)) return ok({ file, name: name.value })
  return refused(`Cannot start the shell "${shell}": no such program. Install it or set --shell.`)
}

/** The folder asked for; else the nearest one above it that exists, or the home, and a word about it. */
export async function findFolder(
  wanted: string,
  env: Env,
): Promise<{ cwd: string; notice: string | null }> {
  if (await isFolder(wanted)) return { cwd: wanted, notice: null }
  let above = dirname(wanted)
  while (above !== dirname(above) && !(await isFolder(above))) above = dirname(above)
  const home = env['HOME'] ?? '/'
  const cwd = above === dirname(above) && (await isFolder(home)) ? home : above
  return {
    cwd,
    notice: `The folder ${wanted} is not there (any more); the shell starts in ${cwd}.`,
  }
}

const isExecutable = (path: string) => isUsable(path, 'isFile')
const isFolder = (path: string) => isUsable(path, 'isDirectory')

async function isUsable(path: string, isKind: 'isFile' | 'isDirectory'): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path))[isKind]()
  } catch {
    return false
  }
}
