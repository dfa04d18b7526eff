import type { Refusal } from '../../../protocol/http/refusal.ts'
import type { SessionId } from '../../../protocol/events/seq.ts'
import {
  encodeTerminalBytes,
  type AckRequest,
  type InputRequest,
  type SecretRequest,
  type UnviewRequest,
  type ViewportRequest,
  type ViewRequest,
} from '../../../protocol/stream/frame.ts'
import type { StreamDeps } from '../deps.ts'
import { type Outlet, say, unexpected } from './deliver.ts'
import type { SessionHost } from '../../session/host.ts'
import { worldRefusal } from '../../store/store-error.ts'
import type { LiveViewer } from '../../terminal/live-view/live-view.ts'

/** The terminals one socket shows. */
export type TerminalViews = ReturnType<typeof createTerminalViews>

type Asked =
  | ViewRequest
  | UnviewRequest
  | InputRequest
  | SecretRequest
  | ViewportRequest
  | AckRequest

interface View {
  handle: number
  host: SessionHost
  viewer: LiveViewer
}

/** One for each time a terminal is asked for; it has no view while the session is being looked for. */
interface Place {
  view: View | null
}

/** A handle is one byte, and 0 is nobody's. */
const maxHandle = 255

export function createTerminalViews(deps: StreamDeps, outlet: Outlet) {
  const places = new Map<SessionId, Place>()
  const { refuse, diagnose, failed } = createRefusing(deps, outlet)

  async function start(request: ViewRequest): Promise<void> {
    const { session } = request
    const place: Place = { view: null }
    // It may have been taken back meanwhile, and even asked for again.
    const isWanted = () => places.get(session) === place
    places.set(session, place)
    try {
      const found = await deps.hosts.open(session)
      if (!isWanted()) return
      if (found.ok) {
        const handle = freeHandle(places.values())
        place.view = open(outlet, { host: found.value, handle, request })
      } else {
        places.delete(session)
        refuse(request, found.error)
      }
    } catch (error) {
      if (!isWanted()) return diagnose(request, error)
      places.delete(session)
      failed(request, error)
    }
  }

  async function typeSecret(request: SecretRequest): Promise<void> {
    const found = await deps.hosts.open(request.session)
    const refusal = found.ok ? await found.value.liveView.typeSecret(request.data) : found.error
    if (refusal !== null) refuse(request, refusal)
    else say(outlet, { type: 'secret_typed', session: request.session })
  }

  function viewOf(asked: Asked): View | null {
    const view = places.get(asked.session)?.view ?? null
    if (view === null)
      refuse(asked, { code: 'bad_request', message: `not viewing ${asked.session}` })
    return view
  }

  return {
    view(request: ViewRequest): void {
      if (places.has(request.session)) {
        refuse(request, { code: 'bad_request', message: `already viewing ${request.session}` })
      } else if (places.size >= deps.bounds.subscriptions) {
        const message = `one socket shows at most ${deps.bounds.subscriptions} terminals`
        refuse(request, { code: 'overloaded', message })
      } else {
        void start(request)
      }
    },
    unview(request: UnviewRequest): void {
      const { session } = request
      if (!places.has(session)) viewOf(request)
      places.get(session)?.view?.viewer.close()
      places.delete(session)
    },
    input(request: InputRequest): void {
      const refusal = viewOf(request)?.host.liveView.type(request.data)
      if (refusal) refuse(request, refusal)
    },
    secret(request: SecretRequest): void {
      typeSecret(request).catch((error: unknown) => failed(request, error))
    },
    viewport(request: ViewportRequest): void {
      const { rows, cols, visible } = request
      viewOf(request)?.viewer.viewport({ rows, cols, visible })
    },
    ack(request: AckRequest): void {
      viewOf(request)?.viewer.ack(request.offset)
    },
    clear(): void {
      for (const { view } of places.values()) view?.viewer.close()
      places.clear()
    },
  }
}

function createRefusing(deps: Pick<StreamDeps, 'diagnostics'>, outlet: Outlet) {
  function refuse(to: Asked, { code, message }: Refusal): void {
    say(outlet, { type: 'refused', code, message, to: to.type, session: to.session })
  }

  /** The error is of ours; nothing that was typed is in it. */
  function diagnose(to: Asked, error: unknown): void {
    deps.diagnostics(`a ${to.type} of ${to.session} failed: ${String(error)}`)
  }

  function failed(to: Asked, error: unknown): void {
    diagnose(to, error)
    refuse(to, worldRefusal(error) ?? unexpected)
  }

  return { refuse, diagnose, failed }
}

interface Opening {
  host: SessionHost
  handle: number
  request: ViewRequest
}

function open(outlet: Outlet, { host, handle, request }: Opening): View {
  const { session, from = null, start = false, rows, cols, visible } = request
  const tell = () => {
    const { size } = host.liveView.state()
    say(outlet, { type: 'viewing', session, handle, head: host.liveView.head(), ...size })
  }
  // The terminal may change size at once; the client hears it with its handle, in one frame.
  let resized = () => {}
  const viewer = host.liveView.view(
    {
      bytes: (offset, bytes) => outlet.push(encodeTerminalBytes({ handle, offset, bytes })),
      screen: (snapshot) => say(outlet, { type: 'screen', session, ...snapshot }),
      resized: () => resized(),
    },
    { from, start, viewport: { rows, cols, visible } },
  )
  tell()
  resized = tell
  return { handle, host, viewer }
}

function freeHandle(places: Iterable<Place>): number {
  const taken = new Set([...places].map(({ view }) => view?.handle))
  for (let handle = 1; handle < maxHandle; handle += 1) if (!taken.has(handle)) return handle
  return maxHandle
}
