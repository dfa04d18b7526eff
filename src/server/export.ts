import type { Event } from '../protocol/event.ts'
import { textOf } from '../protocol/message.ts'
import type { ExportFormat } from '../protocol/page-routes.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { EventStore } from './store/store.ts'
import { castLines } from './terminal/emulator/cast.ts'
import { firstSize } from './terminal/shell-start.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface ExportDeps {
  store: EventStore
  terminal: Pick<Terminal, 'recording'>
  session: SessionId
  format: ExportFormat
}

const page = 1_000

/** The session as a document: its log (`jsonl`, `json`), to be read (`md`) or to be played (`cast`). */
export async function exportSession(deps: ExportDeps): Promise<string> {
  const { store, session, format, terminal } = deps
  const log: Event[] = []
  for (let after = 0; ;) {
    const events = await store.read(session, { after, limit: page })
    log.push(...events)
    const last = events.at(-1)
    if (last === undefined) break
    after = last.seq
  }
  if (format === 'cast') return cast(log, terminal)
  if (format === 'jsonl') return log.map((event) => `${JSON.stringify(event)}\n`).join('')
  if (format === 'json') return `${JSON.stringify({ session, messages: entries(log) }, null, 2)}\n`
  return markdown(log)
}

/** An asciicast v2 of the terminal; its time 0 is the session's start. */
async function cast(log: readonly Event[], terminal: Pick<Terminal, 'recording'>): Promise<string> {
  const [start] = log
  const shell = log.find((event) => event.type === 'shell_start')
  const header = {
    ...firstSize,
    startMs: start?.at ?? 0,
    ...(shell?.type === 'shell_start' && { shell: shell.shell }),
  }
  const lines: string[] = []
  for await (const line of castLines(header, terminal.recording())) lines.push(line)
  return lines.join('')
}

/** Messages and runs in their order; a run is an entry of type `shell`. */
function entries(log: readonly Event[]): readonly object[] {
  const runs = ends(log)
  return log.flatMap((event): object[] => {
    if (event.type === 'message' && !event.synthetic) {
      const text = textOf(event.parts)
      return [{ type: 'message', seq: event.seq, at: event.at, role: event.role, content: text }]
    }
    if (event.type === 'input_queued')
      return [{ type: 'message', seq: event.seq, at: event.at, role: 'user', content: event.text }]
    if (event.type !== 'run_start') return []
    const end = runs.get(event.seq)
    return [
      {
        type: 'shell',
        seq: event.seq,
        at: event.at,
        id: event.run,
        command: event.command,
        source: event.source,
        cwd: event.cwd,
        exit_code: end?.run.exitCode ?? null,
        duration_ms: end?.run.durationMs ?? null,
        output: end?.content ?? null,
      },
    ]
  })
}

interface RunEnding {
  run: Event & { type: 'run_end' }
  content: string | null
}

function ends(log: readonly Event[]): ReadonlyMap<number, RunEnding> {
  const starts = new Map<number, number>()
  const found = new Map<number, RunEnding>()
  for (const event of log) {
    if (event.type === 'run_start' && event.request !== null) starts.set(event.request, event.seq)
    if (event.type === 'run_end') found.set(event.start, { run: event, content: null })
    if (event.type !== 'tool_response') continue
    const ending = found.get(starts.get(event.request) ?? 0)
    if (ending && event.content !== '') ending.content = event.content
  }
  return found
}

function markdown(log: readonly Event[]): string {
  const [start] = log
  const title = log.findLast((event) => event.type === 'session_update' && event.title)
  const heading =
    title?.type === 'session_update' && title.title !== undefined
      ? title.title
      : start?.type === 'session_start'
        ? (start.title ?? start.workspace)
        : 'Session'
  return [`# ${heading}\n`, ...log.flatMap(section)].join('\n')
}

function section(event: Event): readonly string[] {
  if (event.type === 'input_queued') return [`## You\n\n${event.text}\n`]
  if (event.type === 'tool_response' && event.content !== '') return [fence(event.content)]
  if (event.type !== 'message' || event.synthetic) return []
  const text = textOf(event.parts)
  return [`## ${event.role === 'user' ? 'You' : 'Model'}\n\n${text}\n`]
}

/** Long enough that nothing printed can close it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}console\n${text}\n${ticks}\n`
}
