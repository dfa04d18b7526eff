import type { SessionSummary } from '../protocol/session-view.ts'
import { printableLine } from './printable.ts'

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
