import { ok, type Result } from '../../protocol/result.ts'
import { bind, type ListenFailure } from './bind.ts'
import { httpBounds } from './bounds.ts'
import { startUrl, type AppDeps, type HttpDeps } from './deps.ts'
import { createNodeServer } from './node-server.ts'
import { createOneTimeSecrets, startSecretRules, ticketRules } from './secrets.ts'
import { createOpenStreams } from './streams.ts'

export interface HttpServer {
  readonly port: number
  /** An address that logs one browser in. */
  startUrl(): string
  /** Since when nobody is connected, by `now`; null while someone is. */
  idleSince(): number | null
  /** Says goodbye to every stream and lets answers under way finish. */
  close(): Promise<void>
}

/** 0 is any. A remembered port gives way to any free one; a demanded one does not. */
export interface WantedPort {
  port: number
  demanded: boolean
}

export async function listen(
  deps: HttpDeps,
  wanted: WantedPort,
): Promise<Result<HttpServer, ListenFailure>> {
  let port = 0
  const app: AppDeps = {
    ...deps,
    bounds: { ...httpBounds, ...deps.bounds },
    startSecrets: createOneTimeSecrets({ ...startSecretRules, now: deps.now }),
    tickets: createOneTimeSecrets({ ...ticketRules, now: deps.now }),
    streams: createOpenStreams(),
    port: () => port,
  }
  const { server, idleSince, close } = createNodeServer(app)
  const first = await bind(server, wanted.port)
  const bound = first.ok || wanted.demanded || wanted.port === 0 ? first : await bind(server, 0)
  if (!bound.ok) return bound
  port = bound.value
  const newUrl = () => startUrl(app, app.startSecrets.issue())
  return ok({ port, startUrl: newUrl, idleSince, close })
}
