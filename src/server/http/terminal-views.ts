import type { SocketFrame } from '../../protocol/frame.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { SessionId } from '../../protocol/seq.ts'
import {
  encodeTerminalBytes,
  type AckRequest,
  type InputRequest,
  type UnviewRequest,
  type ViewportRequest,
  type ViewRequest,
} from '../../protocol/terminal.ts'
import type { SessionHost } from '../host.ts'
import type { LaneViewer } from '../terminal/lane/lane.ts'
import type { AppDeps } from './deps.ts'
import { findHost } from './find-host.ts'
import type { Outlet } from './outlet.ts'

/** The terminals one socket shows. */
export interface TerminalViews {
  view(request: ViewRequest): void
  unview(request: UnviewRequest): void
  input(request: InputRequest): void
  viewport(request: ViewportRequest): void
  ack(request: AckRequest): void
  clear(): void
}

type Asked = ViewRequest | UnviewRequest | InputRequest | ViewportRequest | AckRequest

interface View {
  handle: number
  host: SessionHost
  viewer: LaneViewer
}

/** A handle is one byte, and 0 is nobody's. */
const maxHandle = 255

export function createTerminalViews(deps: AppDeps, outlet: Outlet): TerminalViews {
  /** Null while the session is being looked for. */
  const views = new Map<SessionId, View | null>()

  function say(frame: SocketFrame): void {
    outlet.push(JSON.stringify(frame))
  }

  function refuse(to: Asked, { code, message }: Refusal): void {
    say({ type: 'refused', code, message, to: to.type, session: to.session })
  }

  function open(host: SessionHost, request: ViewRequest): View {
    const { session, from = null, start = false, rows, cols, visible } = request
    const handle = freeHandle(views.values())
    const tell = () => {
      const { size } = host.lane.state()
      say({ type: 'viewing', session, handle, head: host.lane.head(), ...size })
    }
    // The lane may change size at once; the client hears it with its handle, in one frame.
    let resized = () => {}
    const viewer = host.lane.view(
      {
        bytes: (offset, bytes) => outlet.push(encodeTerminalBytes({ handle, offset, bytes })),
        screen: (snapshot) => say({ type: 'screen', session, ...snapshot }),
        resized: () => resized(),
      },
      { from, start, viewport: { rows, cols, visible } },
    )
    tell()
    resized = tell
    return { handle, host, viewer }
  }

  async function start(request: ViewRequest): Promise<void> {
    const { session } = request
    views.set(session, null)
    const found = await findHost(deps.hosts, session)
    // It may have been taken back meanwhile, and even asked for again.
    if (views.get(session) !== null) return
    views.delete(session)
    if (!found.ok) return refuse(request, found.error)
    views.set(session, open(found.value, request))
  }

  function viewOf(asked: Asked): View | null {
    const view = views.get(asked.session) ?? null
    if (view === null)
      refuse(asked, { code: 'bad_request', message: `not viewing ${asked.session}` })
    return view
  }

  return {
    view(request) {
      if (views.has(request.session)) {
        refuse(request, { code: 'bad_request', message: `already viewing ${request.session}` })
      } else if (views.size >= deps.bounds.subscriptions) {
        const message = `one socket shows at most ${deps.bounds.subscriptions} terminals`
        refuse(request, { code: 'overloaded', message })
      } else {
        start(request).catch((error: unknown) => {
          views.delete(request.session)
          deps.diagnostics(`a view of ${request.session} failed: ${String(error)}`)
          refuse(request, {
            code: 'internal',
            message: 'an unexpected error; see the server diagnostics',
          })
        })
      }
    },
    unview(request) {
      const { session } = request
      if (!views.has(session)) viewOf(request)
      views.get(session)?.viewer.close()
      views.delete(session)
    },
    input(request) {
      const refusal = viewOf(request)?.host.lane.type(request.data) ?? null
      if (refusal !== null) refuse(request, refusal)
    },
    viewport(request) {
      const { rows, cols, visible } = request
      viewOf(request)?.viewer.viewport({ rows, cols, visible })
    },
    ack(request) {
      viewOf(request)?.viewer.ack(request.offset)
    },
    clear() {
      for (const view of views.values()) view?.viewer.close()
      views.clear()
    },
  }
}

function freeHandle(views: Iterable<View | null>): number {
  const taken = new Set([...views].map((view) => view?.handle))
  for (let handle = 1; handle < maxHandle; handle += 1) if (!taken.has(handle)) return handle
  return maxHandle
}
