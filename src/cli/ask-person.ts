import { refusalOf } from '../client/client-error.ts'
import type { Client } from '../client/connect.ts'
import type { ElicitationRequest } from '../protocol/ask.ts'
import { routes } from '../protocol/routes.ts'
import type { ToolRequest } from '../protocol/call.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { SessionView } from '../protocol/session-view.ts'
import type { Io } from './io.ts'
import { printableLine } from './printable.ts'
import { question } from './question.ts'

/** What waits, and why; nothing in it can hide. */
function describeAsk(io: Io, ask: ElicitationRequest, { open }: SessionView): void {
  const call = open.calls.find(({ seq }) => seq === ask.request)
  io.note(`${wish(call)}: ${printableLine(call?.read?.file ?? ask.command)}`)
  if (ask.effective !== ask.command) io.note(`  which runs: ${printableLine(ask.effective)}`)
  if (ask.cwd !== null) io.note(`  in: ${printableLine(ask.cwd)}`)
  for (const reason of ask.reasons) io.note(`  because: ${printableLine(reason)}`)
}

function wish(call: ToolRequest | undefined): string {
  if (call?.read) return 'The model would read'
  return call?.prompt === undefined ? 'The model wants to run' : 'The command file wants to run'
}

/** Nobody is here to be asked: what to do about it later, from anywhere. */
export function explainAsk(io: Io, session: SessionView, ask: ElicitationRequest): void {
  io.note('tandem: approval needed; the question stays open.')
  describeAsk(io, ask, session)
  io.note(`See it with:     tandem sessions show ${session.id}`)
  io.note(`Answer it with:  tandem answer ${ask.ask} allow   (or deny)`)
}

/**
 * Asks the person at this terminal and passes on what they say, unless someone else was first.
 * False when they left the question open.
 */
export async function askPerson(
  { io, client, session }: { io: Io; client: Client; session: SessionId },
  ask: ElicitationRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const view = await client.call(routes.session, { params: { id: session } })
  describeAsk(io, ask, view)
  const isRead = view.open.calls.some(({ seq, read }) => seq === ask.request && read)
  const said = await question(
    `${isRead ? 'Read' : 'Run'} it? [y]es, [n]o, or what the model should do instead: `,
    signal,
  )
  if (signal.aborted) return true
  if (said === null) return false
  const word = said.trim()
  const body = /^y(es)?$/i.test(word)
    ? { ask: ask.ask, outcome: 'allow' as const }
    : { ask: ask.ask, outcome: 'deny' as const, ...(/^(no?)?$/i.test(word) ? {} : { word }) }
  await client.call(routes.answer, { params: { id: session }, body }).catch((error: unknown) => {
    const code = refusalOf(error)?.code
    if (code !== 'already_answered' && code !== 'unknown_ask') throw error
    io.note('tandem: someone else answered first.')
  })
  return true
}
