import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Event } from '../../protocol/event.ts'
import { limits } from '../../protocol/limits.ts'
import { type ExportFormat, wholeExports } from '../../protocol/page-routes.ts'
import { routes } from '../../protocol/routes.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { viewOf } from '../../view/entries.ts'
import { eachEntry } from '../../view/entry-list.ts'
import type { Client } from '../../client/connect.ts'
import { attach } from '../attach.ts'
import { entryText } from '../entry-text.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { findSession, shortIds } from '../find-session.ts'
import { isInteractive, type Io } from '../io.ts'
import { printableLine } from '../printable.ts'
import { question } from '../question.ts'
import { sessionTable } from '../session-table.ts'

interface Json {
  json?: boolean
}

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`

export async function listSessions(io: Io, { json }: Json): Promise<number> {
  const { client } = await attach(io)
  const { sessions } = await client.call(routes.sessions, {})
  if (json) io.out(lineOf(sessions))
  else if (sessions.length === 0)
    io.note('There are no sessions yet. Try: tandem run -- git status')
  else
    io.out(sessionTable(sessions, { now: io.now(), ids: shortIds(sessions.map(({ id }) => id)) }))
  return exitCode.ok
}

export async function showSession(io: Io, id: string, { json }: Json): Promise<number> {
  const { client } = await attach(io)
  const session = await findSession(client, id)
  const log = await readLog(client, session.id)
  if (json) {
    io.out(lineOf({ ...session, events: log }))
    return exitCode.ok
  }
  const view = viewOf(log)
  const title = session.title ?? basename(session.workspace)
  io.out(`${printableLine(title)}\n${session.id} in ${printableLine(session.workspace)}\n`)
  for (const entry of eachEntry(view.entries)) {
    const text = entryText(entry)
    if (text !== '') io.out(`\n${text}\n`)
  }
  return exitCode.ok
}

async function readLog(client: Client, id: SessionId): Promise<readonly Event[]> {
  const log: Event[] = []
  for (;;) {
    const query = { after: log.at(-1)?.seq ?? 0, limit: limits.pageEvents }
    const page = await client.call(routes.log, { params: { id }, query })
    log.push(...page.events)
    if (page.events.length === 0 || query.after + page.events.length >= page.head) return log
  }
}

export async function renameSession(io: Io, id: string, title: string): Promise<number> {
  const { client } = await attach(io)
  const session = await findSession(client, id)
  await client.call(routes.updateSession, { params: { id: session.id }, body: { title } })
  return exitCode.ok
}

export async function removeSession(
  io: Io,
  id: string,
  { yes }: { yes?: boolean },
): Promise<number> {
  const { client } = await attach(io)
  const session = await findSession(client, id)
  const name = printableLine(session.title ?? session.workspace)
  if (!yes && isInteractive(io)) {
    const said = await question(`Delete ${session.id} (${name}), its log and its shell? [y/N] `)
    if (!/^y(es)?$/i.test(said?.trim() ?? '')) {
      io.note('Nothing was deleted.')
      return exitCode.error
    }
  }
  await client.call(routes.deleteSession, { params: { id: session.id } })
  return exitCode.ok
}

export async function exportSession(
  io: Io,
  id: string,
  { format, output }: { format: ExportFormat; output?: string },
): Promise<number> {
  const { client } = await attach(io)
  const session = await findSession(client, id)
  const input = { params: { id: session.id }, query: { format } }
  const text = await client.document(routes.export, input)
  if (output === undefined) io.out(text)
  else
    // What was said in a session is for its person alone.
    await writeFile(output, text, { mode: 0o600 }).catch((cause: unknown) => {
      throw new CliError(`cannot write ${output}: ${String(cause)}`, exitCode.error, { cause })
    })
  if (wholeExports.has(format)) io.note('tandem: private commands are in it too.')
  return exitCode.ok
}
