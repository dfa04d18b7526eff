import type { ExportFormat, CachedRequest, CacheReport } from '../../protocol/http/page-routes.ts'
import type { RunId, SessionId } from '../../protocol/events/seq.ts'
import { exportSession } from '../export/export-session.ts'
import type { Range, EventStore } from '../store/store.ts'
import type { Event } from '../../protocol/events/event.ts'
import { readPages } from '../store/read-log.ts'
import { findRun, type OutputDeps, type Page, readRunBytes, readRunOutput } from './output-pages.ts'

export type SessionPages = ReturnType<typeof createSessionPages>

/** A session's past, from its log, its terminal's byte log and the files of its one-shot commands. */
export function createSessionPages(kept: OutputDeps) {
  const { store, session } = kept
  return {
    readLog: (range: Range) => store.read(session, range),
    run: (run: RunId) => findRun(store, session, run),
    output: (run: RunId, page: Page) => readRunOutput(kept, run, page),
    bytes: (run: RunId, page: Page) => readRunBytes(kept, run, page),
    /** How much of each request had been sent before. */
    cache: () => cacheOf(store, session),
    export: (format: ExportFormat) => exportSession(kept, format),
  }
}

/** Every request of a session, from its log. */
export async function cacheOf(store: EventStore, session: SessionId): Promise<CacheReport> {
  const requests: CachedRequest[] = []
  let model = ''
  for await (const events of readPages(store, session))
    for (const event of events) {
      if (event.type === 'epoch_start') model = event.model
      else add(requests, event, model)
    }
  const broken = requests.filter(({ witness }) => witness !== null && !witness.ok).length
  return { requests, broken }
}

function add(requests: CachedRequest[], event: Event, model: string): void {
  if (event.type === 'step_start') {
    const { seq: step, at, request } = event
    requests.push({ step, at, model, bytes: request.bytes, witness: null, usage: null })
  } else if (event.type === 'step_end') {
    const index = requests.findLastIndex(({ step }) => step === event.start)
    const found = requests[index]
    if (found) requests[index] = { ...found, witness: event.witness, usage: event.usage }
  }
}

const shown = 20

/** For a person: the last requests, one a line. */
export function cacheText({ requests, broken }: CacheReport): string {
  if (requests.length === 0) return 'The model has not been asked anything in this session.'
  const lines = requests.slice(-shown).map(requestLine)
  const left = requests.length - lines.length
  const words =
    broken === 0
      ? 'Every request extends the one before.'
      : `${broken} requests did not extend the one before.`
  return [...(left > 0 ? [`(${left} earlier requests)`] : []), ...lines, words].join('\n')
}

function requestLine({ step, bytes, witness, usage }: CachedRequest): string {
  const kept =
    witness === null ? 'under way' : `${witness.prefixBytes} of ${bytes} bytes sent before`
  const cached =
    usage === null || usage.input === 0
      ? ''
      : `; ${usage.cacheRead} of ${usage.input} tokens from the provider’s cache`
  const difference = witness?.firstDifference === undefined ? '' : `; ${witness.firstDifference}`
  return `#${step}  ${kept}${cached}${difference}`
}
