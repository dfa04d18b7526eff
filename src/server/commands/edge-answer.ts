import type { ToolRequest } from '../../protocol/events/call.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { SessionView } from '../../protocol/http/session-view.ts'
import type { World } from '../../session/catalogue.ts'
import type { Command } from '../../session/commands/command.ts'
import { type Arguments, parseArguments } from '../../session/commands/grammar.ts'
import type { CommandDone } from '../../session/record/report.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Models } from '../model/models.ts'
import type { SessionHost } from '../session/host.ts'
import type { EventStore } from '../store/store.ts'
import type { Teams } from '../teams/teams.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { FolderRules } from '../world/folder-rules.ts'
import type { Trust } from '../world/trusted-folders.ts'

export interface EdgeCommandsDeps {
  store: EventStore
  models: Models
  teams: Teams
  trust: Trust
  rules: FolderRules
  look: LookAt
}

/** The session as its commands know it, and what the server lets them use. */
export interface EdgeSession extends EdgeCommandsDeps {
  id: SessionId
  team: string
  workspace: string
  view(): SessionView
  /** The model that would be asked now. */
  model(): string
  world(): Promise<World>
  export: SessionHost['export']
  adopt: Terminal['adopt']
}

/** The outcome of a command that only the edge can do, in words. */
export type EdgeAnswer = Omit<CommandDone, 'type' | 'call'>

/** Does what a command asks of the world outside the session. */
export type EdgeCommand = (session: EdgeSession, call: ToolRequest) => Promise<EdgeAnswer>

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

/** A command with its arguments, read as the session has read them. */
export function withArguments(
  { grammar = {}, usage }: Command,
  run: (args: Arguments, session: EdgeSession) => EdgeAnswer | Promise<EdgeAnswer>,
): EdgeCommand {
  return async (session, { args }) => {
    const read = parseArguments(grammar, args.replace(/^\s*\/\S+/, ''))
    return read.ok ? run(read.value, session) : badUsage(read.error, usage)
  }
}
