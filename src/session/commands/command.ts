import type { ToolRequest } from '../../protocol/call.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { Seq } from '../../protocol/seq.ts'
import { type Append, system } from '../append.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Arguments, Grammar } from './grammar.ts'

export interface CommandInput {
  args: Arguments
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
  /** Whether the model gets to read what came of it. */
  reachesModel: boolean
  grammar: Grammar
  run(append: Append, input: CommandInput, catalogue: Catalogue): Refusal | null
}

const meta = { isClientInitiated: true }

type CallDetails = Partial<Pick<ToolRequest, 'run' | 'read' | 'skill' | 'prompt'>>

/** Notes that a person asked for it: every routed command is a call, answered once. */
export function openCommand(
  append: Append,
  { name, text }: { name: string; text: string },
  details: CallDetails = {},
): Seq {
  const args = text.trim()
  return append.add({
    type: 'tool_request',
    meta,
    name,
    args,
    index: 0,
    step: null,
    ...details,
  })
}

/** Leaves it to the edge, which knows files and the store; the answer is the call’s. */
export function askEdge(append: Append, name: string, { text }: CommandInput): null {
  openCommand(append, { name, text })
  return null
}

/** The answer to a command that the session itself can do. */
export function closeCommand(append: Append, request: Seq, content: string): void {
  const answer = { type: 'tool_response', meta, request, status: 'done', content } as const
  append.add({ ...answer, inContext: false }, system)
}
