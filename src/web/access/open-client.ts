import type { Access } from '../../client/wire/access.ts'
import { createCaller, type Caller } from '../../client/wire/call.ts'

/** The client's own name: what came from here is shown as "you". */
export const here = 'web'

/** The server that sent this page. */
export function openClient(access: Access): Caller {
  return createCaller({
    url: location.origin,
    access,
    // A deletion is finished though the page that asked for it is closed.
    fetch: (input, init) => fetch(input, { ...init, keepalive: init?.method === 'DELETE' }),
    name: here,
    newKey: () => crypto.randomUUID(),
  })
}
