import { listSessions } from '../../client/sessions.ts'
import { readEvent, readSession } from '../../client/session/records.ts'
import { intentsOf } from '../../client/session/intents.ts'
import { allowed, askedAgain } from '../../view/words/ask.ts'
import type { Client } from '../../client/wire/connect.ts'
import type { AskScope, ElicitationRequest } from '../../protocol/events/ask.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { Accepted } from '../../protocol/http/session-view.ts'
import { attach } from '../attach.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { findSession } from '../find-session.ts'
import type { Io } from '../io.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'

export interface AnswerOptions {
  word?: string
  scope?: AskScope
  /** Run this instead. */
  command?: string
  json?: boolean
}

interface Found {
  session: SessionId
  ask: ElicitationRequest
}

/** `tandem answer`: a yes or a no to what the model wants to run. */
export async function answerCommand(
  io: Io,
  { id, outcome }: { id: string; outcome: 'allow' | 'deny' },
  options: AnswerOptions,
): Promise<number> {
  const given = detailsOf(outcome, options)
  const { client } = await attach(io)
  const { session, ask } = await (id.startsWith('ask-')
    ? findAsk(client, id)
    : oldestAsk(client, id))
  const { word: _, ...wider } = given
  const accepted = await intentsOf(client, session).answer({ ask: ask.ask, outcome, ...given })
  const counted = (await isVoid(client, session, accepted)) ? 'void' : outcome
  const said = counted === 'allow' ? allowed[given.scope ?? 'once'] : words[counted]
  const told = { session, ask: ask.ask, outcome: counted, ...wider }
  if (options.json) io.out(`${JSON.stringify(told)}\n`)
  else io.note(`${said}: ${printableLine(given.command ?? ask.command)}`)
  return counted === 'void' ? exitCode.approval : exitCode.ok
}

/** The part of an answer beside its yes or no; a no counts for this command only. */
function detailsOf(
  outcome: 'allow' | 'deny',
  { word, scope, command }: AnswerOptions,
): Pick<AnswerOptions, 'word' | 'scope' | 'command'> {
  if (command !== undefined && outcome === 'deny')
    throw new CliError('--command is for allow: it is what runs instead.', exitCode.usage)
  return {
    ...(word !== undefined && { word }),
    ...(outcome === 'allow' && scope !== undefined && { scope }),
    ...(command !== undefined && { command }),
  }
}

const words = {
  deny: 'Denied',
  void: `Not allowed yet, ${askedAgain}, so it is asked again`,
} as const

/** A yes counts only for the shell that was judged. */
async function isVoid(client: Client, id: SessionId, { first }: Accepted): Promise<boolean> {
  if (first === null) return false
  const event = await readEvent(client, id, first)
  return event?.type === 'elicitation_response' && event.outcome === 'void'
}

async function asksOf(client: Client, id: SessionId): Promise<readonly ElicitationRequest[]> {
  return (await readSession(client, id)).open.asks
}

async function oldestAsk(client: Client, id: string): Promise<Found> {
  const { id: session } = await findSession(client, id)
  const [ask] = await asksOf(client, session)
  if (ask) return { session, ask }
  throw new CliError(`session ${session} waits for no answer.`)
}

/** A question does not say whose it is; the newest sessions are asked first. */
async function findAsk(client: Client, id: string): Promise<Found> {
  for (const { id: session } of await listSessions(client)) {
    const matches = (await asksOf(client, session)).filter((ask) => ask.ask.startsWith(id))
    const [ask] = matches
    if (ask && matches.length === 1) return { session, ask }
  }
  throw new CliError(`no open question is called ${id}: it may have been answered already.`)
}
