import { connect, type Client } from '../../client/connect.ts'

/** The server that sent this page. */
export function openClient(token: string): Client {
  return connect({
    url: location.origin,
    token,
    // A deletion is finished though the page that asked for it is closed.
    fetch: (input, init) => fetch(input, { ...init, keepalive: init?.method === 'DELETE' }),
    name: 'web',
    newKey: () => crypto.randomUUID(),
  })
}
