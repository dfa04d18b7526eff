import { realpath } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import type { LiveShell } from '../../session/policy/facts.ts'
import type { LiveState } from '../../session/policy/live/live-state.ts'
import { isProgram } from './start-process.ts'

export interface OneShotPlace {
  /** A name to be looked for in PATH, or a file. */
  shell: string
  env: Readonly<Record<string, string>>
  cwd: string
}

/**
 * A bash as a one-shot run starts it: without start files, aliases or functions, its programs along PATH. Null when it
 * would read a file first or gets functions from outside, and for other shells, which read one always.
 */
export async function oneShotShell(
  { shell, env, cwd }: OneShotPlace,
  names: readonly string[],
): Promise<LiveShell | null> {
  const isOdd = Object.keys(env).some((name) =>
    /^(BASH_ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|BASH_FUNC_.*)$/.test(name),
  )
  if (basename(shell) !== 'bash' || isOdd) return null
  const folders = (env['PATH'] ?? '').split(delimiter)
  const path = await Promise.all(
    folders.map(async (folder) => ({
      folder,
      physical: folder.startsWith('/') ? await realpath(folder).catch(() => null) : null,
    })),
  )
  const found = await Promise.all(
    names.map(async (name) => [name, await findProgram(folders, name)] as const),
  )
  const state: LiveState = {
    ...plain,
    cwd,
    path,
    asked: new Set(names),
    found: new Map(found.flatMap(([name, place]) => (place === null ? [] : [[name, place]]))),
  }
  return { state, baseline: state }
}

async function findProgram(folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders) {
    const place = join(folder || '.', name)
    if (await isProgram(place)) return `${folder || '.'}/${name}`
  }
  return null
}

const plain = {
  shell: 'bash',
  options: new Set(['braceexpand', 'hashall', 'interactive_comments']),
  aliases: new Map(),
  globalAliases: new Map(),
  suffixAliases: new Map(),
  functions: new Set<string>(),
  exportedFunctions: new Set<string>(),
  bodies: new Map(),
  hashes: new Map(),
  // Those that the policy knows; another one of bash's would be asked about anyway.
  builtins: new Set(': [ cd command echo false printf pwd test true type'.split(' ')),
  disabled: new Set<string>(),
  traps: { text: '', names: new Set<string>() },
  hooks: new Map(),
  variables: new Map(),
} as const
