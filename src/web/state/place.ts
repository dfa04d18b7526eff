import { SessionId } from '../../protocol/seq.ts'
import { createStore } from './store.ts'

/** The open session is in the address, so that a reload and a link lead back to it. */
function read(): SessionId | null {
  const id = SessionId.safeParse(new URLSearchParams(location.hash.slice(1)).get('session'))
  return id.success ? id.data : null
}

export const place = createStore(read())

addEventListener('hashchange', () => place.set(read()))

export function goTo(session: SessionId | null): void {
  const hash = session === null ? '' : `#session=${session}`
  if (location.hash !== hash) history.pushState(null, '', location.pathname + hash)
  place.set(session)
}

addEventListener('popstate', () => place.set(read()))
