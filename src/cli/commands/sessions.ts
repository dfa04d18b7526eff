import type { LogDamage, SessionSummary } from '../../protocol/http/session-view.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'
import { listWithDamage } from '../../client/sessions.ts'
import { exportSession as exported, readLog } from '../../client/session/records.ts'
import { intentsOf } from '../../client/session/intents.ts'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type ExportFormat, wholeExports } from '../../protocol/http/page-routes.ts'
import { viewOf } from '../../view/fold/entries.ts'
import { eachEntry } from '../../view/fold/entry-list.ts'
import type { Json } from '../act.ts'
import { attach } from '../attach.ts'
import { entryText } from '../text/entry-text.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { findAnySession, findSession, shortIds } from '../find-session.ts'
import { isInteractive, type Io, question } from '../io.ts'

/** Fits the narrowest terminal people still use. */
const columns = 80

/** "now", "5m", "3h", "12d": how long ago, as one looks for a session. */
export function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes}m`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`
  return `${Math.floor(minutes / (24 * 60))}d`
}

export function sessionTable(
  sessions: readonly SessionSummary[],
  { now, ids }: { now: number; ids: ReadonlyMap<string, string> },
): string {
  const rows = [
    { id: 'ID', age: 'AGE', folder: 'FOLDER', title: 'TITLE' },
    ...sessions.map((session) => ({
      id: ids.get(session.id) ?? session.id,
      age: age(now - session.updatedAt),
      folder: printableLine(session.workspace),
      title: printableLine(session.title ?? session.preview ?? ''),
    })),
  ]
  const width = (name: 'id' | 'age') => Math.max(...rows.map((row) => row[name].length))
  const idWidth = width('id')
  const ageWidth = width('age')
  const rest = columns - idWidth - ageWidth - 6
  const titled = rows.slice(1).some(({ title }) => title !== '')
  const folderWidth = titled ? Math.floor(rest / 2) : rest
  return rows
    .map((row) =>
      [
        row.id.padEnd(idWidth),
        row.age.padStart(ageWidth),
        fitEnd(row.folder, folderWidth).padEnd(folderWidth),
        titled ? fitStart(row.title, rest - folderWidth) : '',
      ]
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** The end of a path tells more than its start. */
function fitEnd(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`
}

function fitStart(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`

export async function listSessions(io: Io, { json }: Json): Promise<void> {
  const { client } = await attach(io)
  const { sessions, damage } = await listWithDamage(client)
  if (damage !== null) io.note(`tandem: ${damageNote(damage)}`)
  if (json) io.out(lineOf(sessions))
  else if (sessions.length === 0)
    io.note('There are no sessions yet. Try: tandem run -- git status')
  else
    io.out(sessionTable(sessions, { now: io.now(), ids: shortIds(sessions.map(({ id }) => id)) }))
}

function damageNote({ message, damaged, lost }: LogDamage): string {
  const ids = (what: string, all: readonly string[]) =>
    all.length === 0 ? '' : `\n  ${what}: ${all.join(' ')}`
  return `${message}${ids('cannot be read whole', damaged)}${ids('lost', lost)}`
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

export async function renameSession(io: Io, id: string, title: string): Promise<void> {
  const { client } = await attach(io)
  const session = await findSession(client, id)
  await intentsOf(client, session.id).update({ title })
}

export async function removeSession(
  io: Io,
  id: string,
  { yes }: { yes?: boolean },
): Promise<number> {
  const { client } = await attach(io)
  const session = await findAnySession(client, id)
  const { title = null, workspace = 'its log is damaged' } = session.summary ?? {}
  const name = printableLine(title ?? workspace)
  if (!yes && isInteractive(io)) {
    const said = await question(`Delete ${session.id} (${name}), its log and its shell? [y/N] `)
    if (!/^y(es)?$/i.test(said?.trim() ?? '')) {
      io.note('Nothing was deleted.')
      return exitCode.error
    }
  }
  await intentsOf(client, session.id).remove()
  return exitCode.ok
}

export async function exportSession(
  io: Io,
  id: string,
  { format, output }: { format: ExportFormat; output?: string },
): Promise<void> {
  const { client } = await attach(io)
  const session = await findAnySession(client, id)
  const text = await exported(client, session.id, { format })
  if (output === undefined) io.out(text)
  else
    // Words of a session are for its person alone.
    await writeFile(output, text, { mode: 0o600 }).catch((cause: unknown) => {
      throw new CliError(`cannot write ${output}: ${String(cause)}`, exitCode.error, { cause })
    })
  if (session.isDamaged)
    io.note('tandem: its log is damaged; what could not be read is named in it.')
  if (wholeExports.has(format)) io.note('tandem: private commands are in it too.')
}
