import { assertNever } from '../protocol/assert-never.ts'
import type { Event } from '../protocol/event.ts'
import type { ExportFormat } from '../protocol/page-routes.ts'
import type { SessionId } from '../protocol/seq.ts'
import { htmlDocument } from './export/html.ts'
import { itemsOf } from './export/items.ts'
import { jsonDocument } from './export/json.ts'
import { markdownDocument } from './export/markdown.ts'
import { createRunTexts } from './export/run-texts.ts'
import type { OneShots } from './one-shot/one-shots.ts'
import { readRunOutput } from './run-output.ts'
import type { EventStore } from './store/store.ts'
import { castLines } from './terminal/emulator/cast.ts'
import { firstSize } from './terminal/shell-start.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface ExportDeps {
  store: EventStore
  terminal: Terminal
  oneShots: OneShots
  session: SessionId
  format: ExportFormat
}

const page = 1_000

/** The session as a document: its log (`jsonl`, `json`), to be read (`md`, `html`) or played (`cast`). */
export async function exportSession(deps: ExportDeps): Promise<string> {
  const { session, format, terminal } = deps
  const log = await readLog(deps)
  const textsOf = createRunTexts((run, range) => readRunOutput(deps, run, range))
  switch (format) {
    case 'cast':
      return cast(log, terminal)
    case 'jsonl':
      return log.map((event) => `${JSON.stringify(event)}\n`).join('')
    case 'json':
      return jsonDocument(session, itemsOf(log), textsOf)
    case 'html':
      return htmlDocument(log, itemsOf(log), textsOf)
    case 'md':
      return markdownDocument(log)
    default:
      return assertNever(format)
  }
}

async function readLog({ store, session }: ExportDeps): Promise<readonly Event[]> {
  const log: Event[] = []
  for (;;) {
    const events = await store.read(session, { after: log.at(-1)?.seq ?? 0, limit: page })
    if (events.length === 0) return log
    log.push(...events)
  }
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
