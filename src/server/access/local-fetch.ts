import { Agent, type IncomingMessage, request } from 'node:http'

/** Idle connections go before the server ends them, so that no request meets a closing one. */
const idleMs = 5_000

/** `fetch` over a socket of the file system, for what our own clients ask. */
export function localFetch(socketPath: string): typeof globalThis.fetch {
  const agent = new Agent({ keepAlive: true, timeout: idleMs })
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { pathname, search, host } = new URL(input instanceof Request ? input.url : input)
      const { method = 'GET', body = null, signal } = init
      const headers = { ...Object.fromEntries(new Headers(init.headers)), host }
      const asked = request(
        {
          socketPath,
          agent,
          method,
          path: pathname + search,
          headers,
          ...(signal && { signal }),
        },
        (incoming) => {
          const { statusCode: status = 500 } = incoming
          const bytes = status === 204 || status === 304 ? null : bodyOf(incoming)
          const said = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          )
          resolve(new Response(bytes, { status, headers: said }))
        },
      )
      asked.on('error', reject)
      asked.end(typeof body === 'string' ? body : undefined)
    })
}

/** Read as fast as it is taken. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces = incoming[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void incoming.destroy(),
  })
}
