import type { Seq, SessionId } from '../../protocol/events/seq.ts'
import type { CallEntry, Entry, ReplyEntry, RunEntry } from '../fold/entry.ts'
import { runTitle } from '../words/run.ts'
import { shownThoughts } from '../words/clock.ts'
import { eachEntry, type EntryList } from '../fold/entry-list.ts'
import type { Pending } from './letter.ts'
import { formerSegments, replySegments, type Segment } from './segments.ts'

/** A row of the chat: an entry, a part of a reply, or a text on its way that has no entry yet. */
export type Row = { key: string; entry: Entry; part?: ReplyPart } | { key: string; letter: Pending }

/** Some segments of a reply; `to` is null for the last part. */
export interface ReplyPart {
  from: number
  to: number | null
  isFirst: boolean
  /** Its tags were taken by an earlier version: the segments are those of then. */
  isFormer: boolean
}

export function partSegments(entry: ReplyEntry, part: ReplyPart): readonly Segment[] {
  const segments = part.isFormer ? formerSegments(entry) : replySegments(entry)
  return segments.slice(part.from, part.to ?? undefined)
}

export function rowsOf(entries: EntryList, letters: readonly Pending[]): readonly Row[] {
  const made = callsOfTags(entries)
  const placed = new Set<Seq>()
  const rows: Row[] = []
  for (const entry of eachEntry(entries)) {
    if (placed.has(entry.seq) || !isShown(entry)) continue
    const calls = entry.kind === 'reply' ? made.get(entry.seq) : undefined
    if (entry.kind !== 'reply' || !calls) rows.push(rowOf(entry))
    else
      for (const row of partsOf(entry, calls)) {
        rows.push(row)
        placed.add(row.entry.seq)
      }
  }
  for (const letter of letters) rows.push({ key: letter.key, letter })
  return rows
}

/** Prompts that wait are shown at the composer; a reply without a word or a thought is only its calls. */
function isShown(entry: Entry): boolean {
  if (entry.kind === 'prompt') return entry.state === 'sent'
  if (entry.kind !== 'reply' || entry.reply.phase === 'open') return true
  const { text, stop, thoughts } = entry.reply
  return text.trim() !== '' || stop !== 'done' || thoughts !== undefined
}

type TagCalls = ReadonlyMap<number, RunEntry | CallEntry>

/** By reply, then by the place of the tag in it. */
function callsOfTags(entries: EntryList): ReadonlyMap<Seq, TagCalls> {
  const made = new Map<Seq, Map<number, RunEntry | CallEntry>>()
  for (const entry of eachEntry(entries)) {
    if ((entry.kind !== 'run' && entry.kind !== 'call') || entry.tag === null) continue
    const { reply, index } = entry.tag
    const calls = made.get(reply) ?? new Map<number, RunEntry | CallEntry>()
    made.set(reply, calls.set(index, entry))
  }
  return made
}

type EntryRow = Extract<Row, { entry: Entry }>

/** A call stands where its tag stood, and so nothing is said twice. */
function partsOf(entry: ReplyEntry, calls: TagCalls): readonly EntryRow[] {
  const isFormer = hasFormerCall(entry, calls)
  const segments = isFormer ? formerSegments(entry) : replySegments(entry)
  const rows: EntryRow[] = []
  let from = 0
  let tags = 0
  const startsWithCall = segments[0]?.kind === 'tag' && calls.has(0)
  // Thoughts stand before the first thing that the model did, also if it said nothing before.
  if (startsWithCall && shownThoughts(entry) !== null) rows.push(partRow(0, 0))
  for (const [at, segment] of segments.entries()) {
    const call = segment.kind === 'tag' ? calls.get(tags++) : undefined
    if (!call) continue
    if (at > from) rows.push(partRow(from, at))
    rows.push(rowOf(call))
    from = at + 1
  }
  if (from < segments.length) rows.push(partRow(from, null))
  return rows

  function partRow(start: number, to: number | null): EntryRow {
    const isFirst = !rows.some(({ part }) => part)
    const key = isFirst ? `${entry.seq}` : `${entry.seq}.${start}`
    return { key, entry, part: { from: start, to, isFirst, isFormer } }
  }
}

/** A call has a tag, so one without was made by a version that took more of them. */
function hasFormerCall(entry: ReplyEntry, calls: TagCalls): boolean {
  const tags = replySegments(entry).filter(({ kind }) => kind === 'tag').length
  return Math.max(...calls.keys()) >= tags
}

const rowOf = (entry: Entry): EntryRow => ({ key: `${entry.seq}`, entry })

/** Says where a session begins; nothing has happened in it yet. */
export function isOpening(row: Row): boolean {
  return 'entry' in row && row.entry.kind === 'notice' && row.entry.notice.type === 'shell_taken'
}

interface Shown {
  session: SessionId
  head: number
  entries: EntryList
  /** The name of this client in events. */
  here: string
}

/** The texts of this session that the log does not show yet. */
export function onTheWay(
  letters: readonly Pending[],
  { session, head, entries, here }: Shown,
): readonly Pending[] {
  const ours = letters.filter(
    ({ session: id, state }) =>
      id === session &&
      state.phase !== 'refused' &&
      !(state.phase === 'accepted' && state.head <= head),
  )
  const sending = ours.filter(({ state }) => state.phase === 'sending')
  if (sending.length === 0) return ours
  const after = Math.min(...sending.map((letter) => letter.after))
  const seen = ownTexts(entries, after, here)
  return ours.filter((letter) => letter.state.phase !== 'sending' || !takeFirst(seen, letter))
}

interface OwnText {
  seq: Seq
  text: string
}

/** The log may be faster than the answer to what was sent: it has the text already. */
function takeFirst(seen: OwnText[], { text, after }: Pending): boolean {
  const at = seen.findIndex((own) => own.seq > after && own.text === text.trim())
  if (at >= 0) seen.splice(at, 1)
  return at >= 0
}

/** The texts that were submitted from here after that event, as they were typed. */
function ownTexts(entries: EntryList, after: Seq, here: string): OwnText[] {
  const own: OwnText[] = []
  for (const chunk of entries.chunks.toReversed()) {
    if ((chunk.at(-1)?.seq ?? 0) <= after) break
    for (const entry of chunk) {
      const text = entry.seq > after && entry.by.client === here ? typedText(entry) : null
      if (text !== null) own.push({ seq: entry.seq, text })
    }
  }
  return own
}

function typedText(entry: Entry): string | null {
  if (entry.kind === 'prompt') return entry.text.trim()
  if (entry.kind === 'call') return entry.args
  if (entry.kind !== 'run') return null
  const { sign, command } = runTitle(entry)
  return `${sign}${command}`
}

/** The rows that were there at that time; null and Infinity are now. */
export function rowsUntil(rows: readonly Row[], until: number | null): readonly Row[] {
  return until === null || until === Infinity
    ? rows
    : rows.filter((row) => 'entry' in row && row.entry.at <= until)
}

/** Rows with a question stay drawn, wherever one scrolls: an answer may be half written. */
export function askedRows(rows: readonly Row[]): readonly number[] {
  return rows.flatMap((row, at) => ('entry' in row && isAsked(row.entry) ? [at] : []))
}

function isAsked(entry: Entry): boolean {
  return 'ask' in entry && entry.ask?.state.phase === 'open'
}

/** The number of entries after that one, each counted once. */
export function newerRows(rows: readonly Row[], seen: Seq): number {
  return rows.filter(
    (row) => 'letter' in row || (row.entry.seq > seen && row.part?.isFirst !== false),
  ).length
}

export function newestSeq(rows: readonly Row[]): Seq {
  return rows.reduce((newest, row) => Math.max(newest, 'entry' in row ? row.entry.seq : 0), 0)
}
