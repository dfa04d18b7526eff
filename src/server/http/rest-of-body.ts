import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBounds } from './bounds.ts'

type RestBounds = Pick<HttpBounds, 'restBytes' | 'restMs'>

/** Sees to it that the body of a request that is answered already is not read without end. */
export function boundRest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  bounds: RestBounds,
): void {
  // Any later, and Node throws the bytes away without telling anybody.
  outgoing.once('prefinish', () => {
    if (!incoming.complete) readOn(incoming, bounds)
  })
}

/**
 * Reads a little of a body whose request is answered already: a client that is still sending it would else not
 * hear the answer. One that sends on and on is cut off.
 */
function readOn(incoming: IncomingMessage, { restBytes, restMs }: RestBounds): void {
  const { socket } = incoming
  let size = 0
  const cut = () => void socket.destroy()
  const late = setTimeout(cut, restMs)
  const settle = () => clearTimeout(late)
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > restBytes) cut()
  })
  incoming.once('end', settle).once('close', settle)
}
