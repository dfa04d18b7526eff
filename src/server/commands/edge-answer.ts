import type { ToolRequest } from '../../protocol/call.ts'
import { refused, type Result } from '../../protocol/result.ts'
import type { Command } from '../../session/commands/command.ts'
import { type Arguments, parseArguments } from '../../session/commands/grammar.ts'
import type { CommandDone } from '../../session/report.ts'

/** What came of a command that only the edge can do, in words. */
export type EdgeAnswer = Omit<CommandDone, 'type' | 'call'>

/** For the person alone. */
export function told(content: string): EdgeAnswer {
  return { status: 'done', content, inContext: false }
}

/** Something is different now, and the model should know. */
export function changed(content: string): EdgeAnswer {
  return { status: 'done', content, inContext: true }
}

export function failed(content: string): EdgeAnswer {
  return { status: 'error', content, inContext: false }
}

export function badUsage(problem: string, usage: string): EdgeAnswer {
  return failed(`That cannot be: ${problem}.\nUsage: ${usage}`)
}

/** What was typed behind the command’s name, read as the session has read it. */
export function readArguments(
  { grammar, usage }: Command,
  { args }: ToolRequest,
): Result<Arguments, EdgeAnswer> {
  const read = parseArguments(grammar, args.replace(/^\s*\/\S+/, ''))
  return read.ok ? read : refused(badUsage(read.error, usage))
}
