import { Grade } from '../../protocol/events/ask.ts'
import type { ShellSetting } from '../../protocol/events/shell.ts'
import type { Part } from './rules/part.ts'

/** The kinds of effects that the modes tell apart, each with its grade. */
export const kinds = {
  read: 'reads',
  /** It only reads, and is such that the default mode asks all the same. */
  minor: 'reads',
  /** It only tells of services, processes or packages of the machine; every mode asks. */
  inspect: 'reads',
  /** An organisation wants a person to be asked. */
  ordered: 'reads',
  /** A test or build that a trusted folder declares. */
  task: 'changes',
  /** Additive local git: `add`, `commit`, a new branch. */
  commit: 'changes',
  /** A new empty file or folder in the workspace. */
  create: 'changes',
  /** A file of the workspace gets another content, name or place. */
  write: 'changes',
  /** It can be put back as it was, such as the rights of a file; every mode asks. */
  alters: 'changes',
  /** The shell is not as before: variables, functions, options, its folder. */
  state: 'changes',
  /** It takes the terminal or goes on in the background. */
  terminal: 'changes',
  secret: 'leaves',
  network: 'leaves',
  outside: 'leaves',
  /** Tandem's or git's own configuration, or what else loosens a rule. */
  settings: 'leaves',
  /** Code that the policy cannot read. */
  code: 'leaves',
  /** Not understood: it may do anything. */
  unclear: 'leaves',
  privilege: 'destroys',
  destroy: 'destroys',
} as const satisfies Readonly<Record<string, Grade>>
export type EffectKind = keyof typeof kinds

export interface Effect {
  kind: EffectKind
  /** A sentence for a person: «deletes dist». */
  reason: string
  /** The files that it is about, resolved. */
  targets?: readonly string[] | undefined
  /** The one simple command that has it; null where nobody can say all about that. */
  part?: Part | null | undefined
  /** Files may be others after it than those that were looked at before. */
  shifts?: boolean
  /** The simple command that it is of, as it is written. */
  source?: string
  /** It gets something from the network: into this file, or into its output, which is ''. */
  fetches?: string
  /** It runs this file, or what is fed to it, which is ''. */
  runs?: string
  /** The setting of the shell that makes it unclear, where that is all. */
  setting?: ShellSetting
}

export function effect(kind: EffectKind, reason: string, targets?: readonly string[]): Effect {
  return targets === undefined ? { kind, reason } : { kind, reason, targets }
}

/** The reach of all of them together; null when one of them may be anything, and none is known to be the gravest. */
export function gravest(effects: readonly Effect[]): Grade | null {
  const grades = Grade.options
  const ranks = effects.map(({ kind }) => grades.indexOf(kinds[kind]))
  const grade = grades[Math.max(0, ...ranks)] ?? 'destroys'
  return grade !== 'destroys' && effects.some(({ kind }) => kind === 'unclear') ? null : grade
}
