import { type ExportFormat, offsetHeader } from '../../../protocol/http/page-routes.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import type { SessionId } from '../../../protocol/events/seq.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import { worldRefusal } from '../../store/store-error.ts'
import { routes } from '../../../protocol/http/routes.ts'
import type { AppDeps } from '../deps.ts'
import { on, onSession } from '../route.ts'

const noRun = refused({ code: 'not_found', message: 'this session has no such run' } as const)
const orNoRun = <T>(found: T | null) => (found === null ? noRun : ok(found))

const documentTypes: Record<ExportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  cast: 'application/x-asciicast; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

/** Read no faster than it is taken; a client that hangs up ends the reading. */
function streamOf(pages: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pages.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pages.return()
    },
  })
}

/** The past of a session, read piece by piece. */
export function pageHandlers({ hosts, care, audit }: AppDeps) {
  /** A damaged log is exported as far as it can be read, with what is missing in its place. */
  async function exportOf(id: SessionId, format: ExportFormat): Promise<Result<string, Refusal>> {
    try {
      const found = await hosts.open(id)
      return found.ok ? ok(await found.value.export(format)) : found
    } catch (error) {
      if (care === undefined || worldRefusal(error)?.code !== 'damaged') throw error
      return ok(await care.exportReadable(id, format))
    }
  }

  return {
    audit: on(routes.audit, async ({ query }) => {
      const pages = await audit(query)
      if (!pages.ok) return pages
      const headers = { 'content-type': documentTypes.jsonl }
      return { response: new Response(streamOf(pages.value), { headers }) }
    }),
    log: onSession(hosts, routes.log, async (host, { query }) => {
      const events = await host.readLog(query)
      return ok({ events: [...events], head: host.view().head })
    }),
    run: onSession(hosts, routes.run, async (host, { params }) =>
      orNoRun(await host.run(params.run)),
    ),
    runOutput: onSession(hosts, routes.runOutput, async (host, { params, query }) =>
      orNoRun(await host.output(params.run, query)),
    ),
    runBytes: onSession(hosts, routes.runBytes, async (host, { params, query }) => {
      const page = await host.bytes(params.run, query)
      if (page === null) return noRun
      const headers = {
        'content-type': 'application/octet-stream',
        [offsetHeader]: String(page.offset),
      }
      return { response: new Response(new Uint8Array(page.bytes), { headers }) }
    }),
    cache: onSession(hosts, routes.cache, async (host) => ok(await host.cache())),
    export: on(routes.export, async ({ params, query: { format } }) => {
      const exported = await exportOf(params.id, format)
      if (!exported.ok) return exported
      const headers = { 'content-type': documentTypes[format] }
      return { response: new Response(exported.value, { headers }) }
    }),
  }
}
