import type { Assignment, ParsedScript, Redirection } from 'unbash'
import { effect, type Effect, type EffectKind } from '../effect.ts'
import type { Argument, Known } from './argument.ts'

/** The place of a part of a command: where and how it would run. */
export interface Place extends Omit<Known, 'cwd'> {
  /** The folders in which the shell may be by then; null when nobody can say. */
  cwds: readonly string[] | null
  /** The number of shells and substitutions around it. */
  depth: number
  /** It runs in `sh`, which knows less than bash. */
  isPosix?: boolean
  /** It reads something else than what is typed. */
  isPiped: boolean
  /** Its input is another file of the shell's. */
  isTurned?: true
  /** The text that it reads, if it stands in the command as it is. */
  text?: string | undefined
  /** The words of the part before it in a pipe, as far as they are known. */
  before: readonly string[]
}

/** A simple command: a name, arguments and assignments, before anybody knows what they do. */
export interface Simple {
  name: Argument | null
  args: readonly Argument[]
  assignments: readonly Assignment[]
  /** As it is written. */
  source: string
}

/** The effects of a part, and the folders in which the shell may be after it. */
export interface Outcome {
  effects: readonly Effect[]
  cwds: Place['cwds']
}

/** Those who know what commands and redirections do. */
export interface Judges {
  simple(command: Simple, place: Place): Outcome
  redirect(redirection: Redirection, place: Place): readonly Effect[]
}

/** A walk over one text. */
export interface Walk {
  judges: Judges
  source: string
  /** Walks over a script within it. */
  enter(walk: Walk, script: ParsedScript, place: Place): Outcome
  /** The simple commands that were met so far, in all texts. */
  met: { commands: number }
}

/** More commands than this, or deeper ones, ask: nobody would read them either. */
export const maxCommands = 200
export const maxDepth = 64

export function known({ cwds, ...place }: Place): Known {
  return { ...place, cwd: cwds?.length === 1 ? (cwds[0] ?? null) : null }
}

export function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 }
}

export function unclear(reason: string): Effect {
  return effect('unclear', reason)
}

export function asks(reason: string, { cwds }: Place, kind: EffectKind = 'unclear'): Outcome {
  return { effects: [effect(kind, reason)], cwds }
}

/** The shell may be where it was, or where a part has left it. */
export function union(one: Place['cwds'], other: Place['cwds']): Place['cwds'] {
  if (one === null || other === null) return null
  const all = [...new Set([...one, ...other])]
  return all.length > maxFolders ? null : all
}

const maxFolders = 8

export function isSame(one: Place['cwds'], other: Place['cwds']): boolean {
  if (one === null || other === null) return one === other
  return one.length === other.length && one.every((cwd) => other.includes(cwd))
}

/** The effects that no smaller part has are of this one. */
export function ofSource(
  { source }: Walk,
  { pos, end }: { pos: number; end: number },
  effects: readonly Effect[],
): readonly Effect[] {
  const text = source.slice(pos, end)
  return effects.map((each) => (each.source === undefined ? { ...each, source: text } : each))
}
