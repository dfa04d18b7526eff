import type { CompletionItem, PastInput, InputKind } from '../../protocol/completion.ts'
import type { ShellName } from '../../protocol/shell.ts'
import type { Task } from '../../protocol/team.ts'
import type { World } from '../../session/catalogue.ts'
import type { ShellNames } from '../terminal/shell-names.ts'
import type { FileIndex } from './file-index.ts'
import type { FoundPath, PathQuery } from './list-paths.ts'
import type { Programs } from './programs.ts'

/** Where the session stands now. */
export interface CompletionPlace {
  workspace: string
  /** The shell’s folder; null while there is none. */
  cwd: string | null
  shell: ShellName
}

/** The world as completion sees it, of one session. */
export interface CompleterDeps {
  place(): CompletionPlace
  /** What the shell starts with: search path, home and the names of variables. */
  env: Readonly<Record<string, string>>
  world(): Promise<World>
  models(): Promise<readonly string[]>
  tasks(): Promise<readonly Task[]>
  /** Of the shared shell; null when it is not known. */
  names(): Promise<ShellNames | null>
  past(kind: InputKind): Promise<readonly PastInput[]>
  /** How often which program was run. */
  used(): Promise<ReadonlyMap<string, number>>
  files: FileIndex
  programs: Programs
  /** The names that a half-typed path may go on with; none when the file system does not answer. */
  paths(query: PathQuery): Promise<readonly FoundPath[]>
}

/** What a source found; `isPartial` when it did not get to look at everything. */
export interface Found {
  items: readonly CompletionItem[]
  isPartial?: boolean
}
