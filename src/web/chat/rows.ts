import type { SessionId } from '../../protocol/seq.ts'
import type { Entry } from '../../view/entry.ts'
import { eachEntry, type EntryList } from '../../view/entry-list.ts'
import type { Pending } from '../state/outbox.ts'

/** A row of the chat: an entry, or a text that is on its way and has no entry yet. */
export type Row = { key: string; entry: Entry } | { key: string; letter: Pending }

export function rowsOf(entries: EntryList, letters: readonly Pending[]): readonly Row[] {
  const rows: Row[] = []
  for (const entry of eachEntry(entries))
    if (isShown(entry)) rows.push({ key: `${entry.seq}`, entry })
  for (const letter of letters) rows.push({ key: letter.key, letter })
  return rows
}

/** What waits is shown at the composer; a reply without a word is only its calls. */
function isShown(entry: Entry): boolean {
  if (entry.kind === 'prompt') return entry.state === 'sent'
  if (entry.kind !== 'reply') return true
  return (
    entry.reply.phase === 'open' || entry.reply.text.trim() !== '' || entry.reply.stop !== 'done'
  )
}

/** The texts of this session that the log does not show yet. */
export function onTheWay(
  letters: readonly Pending[],
  { session, head }: { session: SessionId; head: number },
): readonly Pending[] {
  return letters.filter(
    ({ session: id, state }) =>
      id === session &&
      state.phase !== 'refused' &&
      !(state.phase === 'accepted' && state.head <= head),
  )
}

/** What was there at that time; null is now. */
export function rowsUntil(rows: readonly Row[], until: number | null): readonly Row[] {
  return until === null ? rows : rows.filter((row) => 'entry' in row && row.entry.at <= until)
}

/** Rows with a question stay drawn, wherever one scrolls: an answer may be half written. */
export function askedRows(rows: readonly Row[]): readonly number[] {
  return rows.flatMap((row, at) => ('entry' in row && isAsked(row.entry) ? [at] : []))
}

function isAsked(entry: Entry): boolean {
  return 'ask' in entry && entry.ask?.state.phase === 'open'
}
