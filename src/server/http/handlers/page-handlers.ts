import { ok, refused } from '../../../protocol/result.ts'
import { type ExportFormat, offsetHeader } from '../../../protocol/page-routes.ts'
import { routes } from '../../../protocol/routes.ts'
import type { AppDeps } from '../deps.ts'
import { findHost } from '../find-host.ts'
import { on } from '../route.ts'

const noRun = refused({ code: 'not_found', message: 'this session has no such run' } as const)

const documentTypes: Record<ExportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  cast: 'application/x-asciicast; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

/** What has been, read piece by piece. */
export function pageHandlers({ hosts }: AppDeps) {
  return {
    log: on(routes.log, async ({ params, query }) => {
      const found = await findHost(hosts, params.id)
      if (!found.ok) return found
      const events = await found.value.readLog(query)
      return ok({ events: [...events], head: found.value.view().head })
    }),
    run: on(routes.run, async ({ params }) => {
      const found = await findHost(hosts, params.id)
      if (!found.ok) return found
      const run = await found.value.run(params.run)
      return run === null ? noRun : ok(run)
    }),
    runOutput: on(routes.runOutput, async ({ params, query }) => {
      const found = await findHost(hosts, params.id)
      if (!found.ok) return found
      const output = await found.value.output(params.run, query)
      return output === null ? noRun : ok(output)
    }),
    runBytes: on(routes.runBytes, async ({ params, query }) => {
      const found = await findHost(hosts, params.id)
      if (!found.ok) return found
      const page = await found.value.bytes(params.run, query)
      if (page === null) return noRun
      const headers = {
        'content-type': 'application/octet-stream',
        [offsetHeader]: String(page.offset),
      }
      return { response: new Response(new Uint8Array(page.bytes), { headers }) }
    }),
    cache: on(routes.cache, async ({ params }) => {
      const found = await findHost(hosts, params.id)
      return found.ok ? ok(await found.value.cache()) : found
    }),
    export: on(routes.export, async ({ params, query }) => {
      const found = await findHost(hosts, params.id)
      if (!found.ok) return found
      const text = await found.value.export(query.format)
      const headers = { 'content-type': documentTypes[query.format] }
      return { response: new Response(text, { headers }) }
    }),
  }
}
