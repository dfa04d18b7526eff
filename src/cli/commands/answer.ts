import type { Client } from '../../client/connect.ts'
import type { ElicitationRequest } from '../../protocol/ask.ts'
import { routes } from '../../protocol/routes.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { Accepted } from '../../protocol/session-view.ts'
import { attach } from '../attach.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { findSession } from '../find-session.ts'
import type { Io } from '../io.ts'
import { printableLine } from '../printable.ts'

export interface AnswerOptions {
  word?: string
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
  { word, json }: AnswerOptions,
): Promise<number> {
  const { client } = await attach(io)
  const { session, ask } = await (id.startsWith('ask-')
    ? findAsk(client, id)
    : oldestAsk(client, id))
  const body = { ask: ask.ask, outcome, ...(word !== undefined && { word }) }
  const params = { id: session }
  const accepted = await client.call(routes.answer, { params, body })
  const counted = (await isVoid(client, session, accepted)) ? 'void' : outcome
  if (json) io.out(`${JSON.stringify({ session, ask: ask.ask, outcome: counted })}\n`)
  else io.note(`${words[counted]}: ${printableLine(ask.command)}`)
  return counted === 'void' ? exitCode.approval : exitCode.ok
}

const words = {
  allow: 'Allowed',
  deny: 'Denied',
  void: 'Not allowed yet, the shell has changed since it was judged, so it is asked again',
} as const

/** A yes counts only for the shell that was judged. */
async function isVoid(client: Client, id: SessionId, { first }: Accepted): Promise<boolean> {
  if (first === null) return false
  const query = { after: first - 1, limit: 1 }
  const { events } = await client.call(routes.log, { params: { id }, query })
  return events.some((event) => event.type === 'elicitation_response' && event.outcome === 'void')
}

async function asksOf(client: Client, id: SessionId): Promise<readonly ElicitationRequest[]> {
  return (await client.call(routes.session, { params: { id } })).open.asks
}

async function oldestAsk(client: Client, id: string): Promise<Found> {
  const { id: session } = await findSession(client, id)
  const [ask] = await asksOf(client, session)
  if (ask) return { session, ask }
  throw new CliError(`session ${session} waits for no answer.`)
}

/** A question does not say whose it is; the newest sessions are asked first. */
async function findAsk(client: Client, id: string): Promise<Found> {
  const { sessions } = await client.call(routes.sessions, {})
  for (const { id: session } of sessions) {
    const matches = (await asksOf(client, session)).filter((ask) => ask.ask.startsWith(id))
    const [ask] = matches
    if (ask && matches.length === 1) return { session, ask }
  }
  throw new CliError(`no open question is called ${id}: it may have been answered already.`)
}
