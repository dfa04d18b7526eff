import type { ApprovalMode } from '../../protocol/events/approval-mode.ts'
import type { Organisation } from '../../protocol/organisation.ts'
import type { ShellName } from '../../protocol/events/shell.ts'
import type { Rule } from '../../protocol/events/rule.ts'
import type { LiveState } from './live/live-state.ts'

/** The facts that a command is judged against, gathered at the edge. */
export interface Facts {
  approval: ApprovalMode
  workspace: string
  /** The time at which the session began. */
  since?: number
  /** The time from which on settings of the user's own count as changed, where there is no session. */
  opened?: number
  /** The shell's folder now; null if it is unknown. */
  cwd: string | null
  /** The shell that would run it; null if it is unknown. */
  shell: ShellName | null
  /** The command that started the adopted shell, or null. */
  adopted?: string | null
  home: string | null
  /** The rules of an organisation, which only tighten. */
  organisation?: Organisation | null
  /** A person trusts the workspace. */
  isTrusted: boolean
  /** The meaning of names in the shell; null when it could not be asked. */
  live: LiveShell | null
  /** Files that were looked at, by their path as the kernel would get it. */
  files: ReadonlyMap<string, FileFact>
  /** Standing yeses: of the session, and of the folder. */
  rules?: readonly Rule[]
}

/** The file at a path, with links followed. */
export interface FileFact {
  /** Its place in truth, or the one it would have; null when not even its folder is there. */
  real: string | null
  kind: 'file' | 'folder' | 'other' | 'none'
  /** Git has the file, it is empty, or it is no older than the session; when that was asked for. */
  isKept?: boolean
  /** All files in a folder and below, when they were asked for; null when they are very many. */
  tree?: readonly string[] | null
  /** The names in a folder, when they were asked for. */
  names?: readonly string[]
  /** Secrets in a folder and below it by their names, when they were asked for; null when there is too much to look at. */
  secrets?: readonly string[] | null
  /** Files below it whose names `xargs` would take for others, when they were asked for; null when there is too much to look at. */
  misleading?: readonly string[] | null
  /** Links in a folder and below it that lead to a secret, or to a folder outside the workspace, when they were asked for; null when there is too much to look at. */
  links?: readonly string[] | null
  /** The project in a folder, when that was asked for. */
  project?: ProjectFact
}

export interface ProjectFact {
  /** The tasks that the folder declares: `npm test`, `make build`. */
  tasks: readonly string[]
  /** The changes of files that declare or configure tasks since a person last agreed to them, in words. */
  changes?: readonly string[]
  git: GitFact
}

/** The reasons why git may not do something in a folder unasked; null where it may. */
export interface GitFact {
  reads: string | null
  /** Adds, commits or changes the branch. */
  records: string | null
  /** Shows where the remotes are. */
  remotes: string | null
}

/** The shell, as it said of itself when it was asked, and as it was after its start files. */
export interface LiveShell {
  state: LiveState
  baseline: LiveState
}

/** A file that has to be looked at before a verdict, and whether that is enough. */
export interface Look {
  path: string
  /**
   * `names`: also what is in it; `tree`: and below; `secrets`: those below; `misleading`: names below that are split into others; `links`: those below that lead elsewhere; `project`: also what runs there; `kept`:
   * whether its content is kept.
   */
  for: 'file' | 'names' | 'tree' | 'secrets' | 'misleading' | 'links' | 'project' | 'kept'
}
