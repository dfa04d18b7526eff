import type { Result } from '../base/result.ts'
import type { Dialect, ModelSetup } from '../protocol/events/epoch.ts'
import type { RuleId } from '../protocol/events/rule.ts'
import type { Organisation } from '../protocol/organisation.ts'
import type { SkillInfo } from '../protocol/http/skill.ts'
import type { Repo } from '../protocol/http/team.ts'

/** A prompt that somebody wrote down in a file, typed as `/name`. */
export interface CommandFile {
  /** Folders are joined by colons: `git:commit`. */
  name: string
  description: string
  /** `md` has `$ARGUMENTS` and `$1`; `toml` has `{{args}}`. */
  syntax: 'md' | 'toml'
  template: string
  source: 'project' | 'user'
}

/** The target of an `@path` in an input. A path that names nothing has no entry. */
export interface MentionedFile {
  /** The absolute path, links followed. */
  file: string
  kind: 'file' | 'folder'
  /** The reason to ask a person before it is read; null: nobody is asked. */
  ask: string | null
}

/** The world as routing sees it, as one value, gathered just before an input is decided. */
export interface World {
  /** Whether the workspace’s own skills, command files and configuration count. */
  trusted: boolean
  /** The rules of an organisation; none where there are none. */
  organisation?: Organisation | null
  /** The person’s own folder, `~`. */
  home: string
  /** The folder of `/shell` when the team has no repo. */
  teamFolder: string
  repos: readonly Repo[]
  skills: readonly SkillInfo[]
  files: readonly CommandFile[]
  /** Keyed by the path as it was typed. */
  mentions: ReadonlyMap<string, MentionedFile>
}

export const emptyWorld: World = {
  trusted: false,
  home: '/',
  teamFolder: '/',
  repos: [],
  skills: [],
  files: [],
  mentions: new Map(),
}

export interface Catalogue extends World {
  /** The set-up that a new epoch of this session freezes. */
  setup: ModelSetup
  /** The same for another model, in the dialect that the session speaks; the error is a sentence for a person. */
  pick(model: string, spoken?: Dialect | null): Result<ModelSetup, string>
  /** Facts about the world for the first record: folder, system, date. Never rebuilt. */
  facts: string
  /** The reason why the model cannot type into the program now; null: it can. */
  noInput: string | null
  /** The shell's last mark: names where, and in what state, a command would run now. */
  mark: number | null
  /** Says whether a rule of the folder still counts; a session's own rules are in its log. */
  hasRule?(id: RuleId): boolean
}
