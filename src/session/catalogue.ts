import type { ModelSetup } from '../protocol/epoch.ts'
import type { Result } from '../protocol/result.ts'
import type { SkillInfo } from '../protocol/skill.ts'
import type { Repo } from '../protocol/team.ts'

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

/** What an `@path` of an input names. One that names nothing is not there. */
export interface MentionedFile {
  /** The absolute path, links followed. */
  file: string
  kind: 'file' | 'folder'
  /** Why a person is asked before it is read; null: it just is. */
  ask: string | null
}

/** The world as routing sees it, as one value, gathered just before an input is decided. */
export interface World {
  /** Whether the workspace’s own skills, command files and configuration count. */
  trusted: boolean
  /** The person’s own folder, `~`. */
  home: string
  /** Where `/shell` works when the team has no repo. */
  teamFolder: string
  repos: readonly Repo[]
  skills: readonly SkillInfo[]
  files: readonly CommandFile[]
  /** By the path as it was typed. */
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
  /** What a new epoch of this session freezes. */
  setup: ModelSetup
  /** The same for another model; the error is a sentence for a person. */
  pick(model: string): Result<ModelSetup, string>
  /** Facts about the world for the first record: folder, system, date. Never rebuilt. */
  facts: string
  /** Why nothing of the model's can be typed into the program now; null: it can. */
  noInput: string | null
  /** The shell's last mark: names where, and in what state, a command would run now. */
  mark: number | null
}
