import type { CompletionItem, PastInput, InputKind } from '../../protocol/http/completion.ts'
import type { ShellName } from '../../protocol/events/shell.ts'
import type { Repo, Task } from '../../protocol/http/team.ts'
import { repoAround } from '../../session/decide/one-shot.ts'
import type { World } from '../../session/catalogue.ts'
import type { ShellNames } from '../terminal/shell/ask-state.ts'
import type { FileIndex } from './file-index.ts'
import type { FoundPath, PathQuery, FindPrograms } from './list-paths.ts'
import { resolve } from 'node:path'
import type { CommandPlace } from '../../session/complete/complete.ts'

/** The world as completion sees it, of one session. */
export interface CompleterDeps {
  /** The session's folders and shell now; without a shell `cwd` is null. */
  place(): { workspace: string; cwd: string | null; shell: ShellName }
  /** The shell's first environment: search path, home and the names of variables. */
  env: Readonly<Record<string, string>>
  world(): Promise<World>
  models(): Promise<readonly string[]>
  tasks(): Promise<readonly Task[]>
  /** Names that the shared shell knows; null when it cannot tell. */
  names(): Promise<ShellNames | null>
  past(kind: InputKind): Promise<readonly PastInput[]>
  /** How often which program was run. */
  used(): Promise<ReadonlyMap<string, number>>
  files: FileIndex
  programs: FindPrograms
  /** The names that a half-typed path may go on with; none when the file system does not answer. */
  paths(query: PathQuery): Promise<readonly FoundPath[]>
}

/** The items of a source; `isPartial` when it did not get to look at everything. */
export interface Found {
  items: readonly CompletionItem[]
  isPartial?: boolean
}

/** Longer than this nobody waits for a list; what is late is there for the next letter. */
const patienceMs = 400

/** Resolves to the answer if it comes in time, else to `otherwise`. */
export async function inTime<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), patienceMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Controls, and what hides or turns text: a name with these can look like another one. */
const treacherous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A name that somebody else may have chosen, for a list on one line. */
export function showName(name: string): string {
  return name.replaceAll(treacherous, escapeOf)
}

export function isTreacherous(name: string): boolean {
  return name.search(treacherous) !== -1
}

/** As bash, zsh and fish write it. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}

/** The folder in which a command line would run; its paths are relative to it. */
export async function folderOf(place: CommandPlace, deps: CompleterDeps): Promise<string> {
  if (place === 'terminal') {
    const { cwd, workspace } = deps.place()
    return cwd ?? workspace
  }
  const { repos, teamFolder } = await deps.world()
  const base = (repo: Repo | undefined) => resolve(repo?.path ?? teamFolder, place.cwd ?? '.')
  if (place.repo !== null) return base(repos.find(({ name }) => name === place.repo))
  const { workspace } = deps.place()
  const own = repoAround(workspace, repos)
  return own && place.cwd === null ? workspace : base(own ?? repos[0])
}
