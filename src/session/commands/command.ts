import type { Refusal } from '../../protocol/refusal.ts'
import type { Append } from '../append.ts'
import type { Catalogue } from '../catalogue.ts'

export interface CommandInput {
  /** What stands behind the name. */
  args: string
  /** All of it, as it was typed. */
  text: string
}

/** A command of the session’s, typed as `/name`. One file each, listed in `registry.ts`. */
export interface Command {
  name: string
  aliases: readonly string[]
  /** How it is typed, for help and for errors. */
  usage: string
  /** What it does, in a line. */
  summary: string
  run(append: Append, input: CommandInput, catalogue: Catalogue): Refusal | null
}

/** Leaves it to the edge, which knows files and the store; the answer is the call’s. */
export function askEdge(append: Append, name: string, { text }: CommandInput): null {
  append.add({
    type: 'tool_request',
    meta: { isClientInitiated: true },
    name,
    args: text.trim(),
    index: 0,
    step: null,
  })
  return null
}
