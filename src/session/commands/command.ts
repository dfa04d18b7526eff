import type { ToolRequest } from '../../protocol/events/call.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { type Append, closeCall } from '../append.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Arguments, Grammar } from './grammar.ts'

interface CommandInput {
  args: Arguments
  /** The whole input, as it was typed. */
  text: string
}

/** A command of the session’s, typed as `/name` and listed in `registry.ts`. */
export interface Command {
  name: string
  aliases?: readonly string[]
  /** The syntax, for help and for errors. */
  usage: string
  /** One line for help. */
  summary: string
  /** Whether the model gets to read what came of it. */
  reachesModel: boolean
  /** Left out: it takes no arguments. */
  grammar?: Grammar
  /** Left out: the edge does it, under the same name. */
  run?(append: Append, input: CommandInput, catalogue: Catalogue): Refusal | null
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
  return append.add({ type: 'tool_request', meta, name, args, index: 0, step: null, ...details })
}

/** Leaves it to the edge, which knows files and the store; the answer is the call’s. */
export function askEdge(append: Append, name: string, { text }: CommandInput): null {
  openCommand(append, { name, text })
  return null
}

/** The answer to a command that the session itself can do. */
export function closeCommand(append: Append, seq: Seq, content: string): null {
  closeCall(append, { meta, seq }, { status: 'done', content, inContext: false })
  return null
}
