import { bearer } from '../client/wire/access.ts'
import { connect, type Client } from '../client/wire/connect.ts'

export function openClient({ url, token }: { url: string; token: string }): Client {
  return connect({
    url,
    // The page's own server passes it on, from a port of its own: it is the embedding program's, and trusted.
    access: bearer(token),
    fetch: (input, init) => fetch(input, init),
    name: 'react',
    newKey: () => crypto.randomUUID(),
  })
}
