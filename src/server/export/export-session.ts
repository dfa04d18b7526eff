import type { Event } from '../../protocol/events/event.ts'
import { textOf, thoughtWords } from '../../protocol/events/message.ts'
import {
  damagedCode,
  titleOf,
  type Called,
  type Item,
  type Ran,
  statusOf,
  itemsOf,
  readThoughts,
  type Said,
  type RunTexts,
  createRunTexts,
} from './items.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { terminalText } from './terminal-lines.ts'
import { assertNever } from '../../base/assert-never.ts'
import type { ExportFormat } from '../../protocol/http/page-routes.ts'
import { htmlDocument } from './html.ts'
import { type OutputDeps, readRunOutput } from '../pages/output-pages.ts'
import { readPages } from '../store/read-log.ts'
import { castLines } from '../terminal/emulator/output/cast.ts'
import { firstSize } from '../terminal/start/prepare-shell.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** To be read: what was said, and the records that the model read. */
function markdownDocument(log: readonly Event[]): string {
  return [`# ${titleOf(log)}\n`, ...log.flatMap(section)].join('\n')
}

function section(event: Event): readonly string[] {
  if (event.type === 'error' && event.code === damagedCode) return [`> ${event.message}\n`]
  if (event.type === 'input_queued') return [`## You\n\n${event.text}\n`]
  if (event.type === 'tool_response' && event.content !== '') return [fence(event.content)]
  if (event.type !== 'message' || event.synthetic) return []
  const text = textOf(event.parts)
  const { thoughts } = readThoughts(event)
  const folded = thoughts ? `${foldedThoughts(thoughts)}\n` : ''
  return [`## ${event.role === 'user' ? 'You' : 'Model'}\n\n${folded}${text}\n`]
}

/** Long enough that nothing printed can close it. */
function fence(text: string, kind = 'console'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${kind}\n${text}\n${ticks}\n`
}

/** Fenced: a thought may hold tags that would end the fold. */
function foldedThoughts({ text, ms }: NonNullable<Said['thoughts']>): string {
  return `<details><summary>${thoughtWords(ms)}</summary>\n\n${fence(text, 'text')}\n</details>\n`
}

/** Messages and runs in their order; a run is an entry of type `shell`. */
async function jsonDocument(
  session: SessionId,
  items: readonly Item[],
  textsOf: (ran: Ran) => Promise<RunTexts>,
): Promise<string> {
  const messages: object[] = []
  for (const item of items) messages.push(await entry(item, textsOf))
  return `${JSON.stringify({ session, messages }, null, 2)}\n`
}

function message({ seq, at, role, text, thoughts }: Said): object {
  const thought = thoughts && { thoughts: thoughts.text, thought_ms: thoughts.ms }
  return { type: 'message', seq, at, role, content: text, ...thought }
}

async function entry(item: Item, textsOf: (ran: Ran) => Promise<RunTexts>): Promise<object> {
  const { seq, at } = item
  if (item.type === 'said') return message(item)
  if (item.type === 'called') return { type: 'call', seq, at, ...called(item) }
  return { type: 'shell', seq, at, ...shell(item), ...printed(await textsOf(item)) }
}

function called({ request, answer }: Called): object {
  const { name, args } = request
  return { name, args, status: answer?.status ?? 'running', content: answer?.content ?? null }
}

function shell(ran: Ran): object {
  const { start, end } = ran
  return {
    id: start?.run ?? null,
    command: ran.private ? null : ran.command,
    repo: ran.repo,
    cwd: ran.private ? null : ran.cwd,
    source: ran.source,
    private: ran.private,
    status: statusOf(ran),
    exit_code: end?.exitCode ?? null,
    duration_ms: end?.durationMs ?? null,
  }
}

/** A program's own streams stand as they are; what went to a terminal, as it finally stood there. */
function printed({ output, stdout, stderr, omitted }: RunTexts): object {
  if (stdout !== undefined) return { stdout, stderr, omitted }
  return { output: output === undefined ? null : terminalText(output), omitted }
}

/** The session as a document: its log (`jsonl`, `json`), to be read (`md`, `html`) or played (`cast`). */
export async function exportSession(deps: OutputDeps, format: ExportFormat): Promise<string> {
  const { session, terminal } = deps
  const log: Event[] = []
  for await (const events of readPages(deps.store, session)) log.push(...events)
  const textsOf = createRunTexts((run, range) => readRunOutput(deps, run, range))
  return documentOf(format, { session, log, textsOf, recording: terminal.recording })
}

export interface Exported extends Pick<Terminal, 'recording'> {
  session: SessionId
  log: readonly Event[]
  textsOf(ran: Ran): Promise<RunTexts>
}

export async function documentOf(format: ExportFormat, exported: Exported): Promise<string> {
  const { session, log, textsOf, recording } = exported
  switch (format) {
    case 'cast':
      return cast(log, recording)
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

/** An asciicast v2 of the terminal; its time 0 is the session's start. */
async function cast(log: readonly Event[], recording: Terminal['recording']): Promise<string> {
  const [start] = log
  const shell = log.find((event) => event.type === 'shell_start')
  const header = {
    ...firstSize,
    startMs: start?.at ?? 0,
    ...(shell?.type === 'shell_start' && { shell: shell.shell }),
  }
  const lines: string[] = []
  for await (const line of castLines(header, recording())) lines.push(line)
  return lines.join('')
}
