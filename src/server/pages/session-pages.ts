import type { ExportFormat } from '../../protocol/http/page-routes.ts'
import type { RunId } from '../../protocol/events/seq.ts'
import { exportSession } from '../export/export-session.ts'
import type { Range } from '../store/store.ts'
import { cacheOf } from './cache-report.ts'
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
