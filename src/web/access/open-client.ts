import { connect, type Client } from '../../client/connect.ts'

/** The server that sent this page. */
export function openClient(token: string): Client {
  return connect({
    url: location.origin,
    token,
    fetch: (input, init) => fetch(input, init),
    name: 'web',
    newKey: () => crypto.randomUUID(),
  })
}
