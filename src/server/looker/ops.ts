import type { FileRead } from '../../protocol/events/call.ts'
import type { Result } from '../../base/result.ts'
import type { SkillInfo } from '../../protocol/http/skill.ts'
import type { CommandFile, MentionedFile } from '../../session/catalogue.ts'
import type { SkillPlace } from '../../skill/skill-folders.ts'
import type { EdgeAnswer } from '../commands/edge-answer.ts'
import type { FoundPath, PathQuery, ProgramQuery } from '../complete/list-paths.ts'
import type { FileList } from '../files/ripgrep.ts'
import type { Place } from '../mentions/resolve.ts'

/** A picture that was read, for the store to keep. */
export interface ReadBlob {
  /** In base64. */
  bytes: string
  mediaType: string
}

export interface ReadInput {
  read: FileRead
  workspace: string
  /** The media types that the session’s model takes. */
  images: readonly string[]
  /** How many and how many bytes of them the session has already. */
  kept: { count: number; bytes: number }
}

/** Everything that is looked at outside the data folder; values that JSON can carry. */
export interface Ops {
  /** The real path, links followed. */
  real: { in: string; out: string | null }
  folder: { in: string; out: 'folder' | 'missing' | 'other' }
  /** Which of the folders are there. */
  folders: { in: readonly string[]; out: readonly boolean[] }
  repo: { in: string; out: Result<string, string> }
  trustable: { in: string; out: Result<string, string> }
  isWorkTree: { in: string; out: boolean }
  skills: { in: SkillPlace; out: readonly SkillInfo[] }
  world: {
    in: SkillPlace
    out: { skills: readonly SkillInfo[]; files: readonly CommandFile[]; guide: string }
  }
  mentions: { in: { text: string } & Place; out: readonly (readonly [string, MentionedFile])[] }
  read: { in: ReadInput; out: { answer: EdgeAnswer; blobs: readonly ReadBlob[] } }
  /** The same of a folder, which takes longer. */
  readFolder: Ops['read']
  paths: { in: PathQuery; out: readonly FoundPath[] }
  list: { in: { folder: string; limit: number }; out: Result<FileList, string> }
  programs: { in: ProgramQuery; out: readonly string[] }
  /** The folder in which a shell would start, and its program. */
  start: {
    in: { shell: string; cwd: string; env: Readonly<Record<string, string>> }
    out: { program: Result<FoundProgram, string>; place: FoundPlace }
  }
}

export type FoundProgram = { file: string; name: 'bash' | 'zsh' | 'fish' }
export type FoundPlace = { cwd: string; notice: string | null }

export type OpName = keyof Ops

/** Looks at something; the error is a sentence: the file system does not answer. */
export type LookAt = <Op extends OpName>(
  op: Op,
  input: Ops[Op]['in'],
) => Promise<Result<Ops[Op]['out'], string>>

export interface Question<Op extends OpName = OpName> {
  op: Op
  input: Ops[Op]['in']
}
