import { once } from 'node:events'
import { WebSocket } from 'ws'
import { routes } from '../../src/protocol/http/routes.ts'
import { decodeTerminalBytes } from '../../src/protocol/stream/frame.ts'
import type { TestServer } from '../../test/support/server.ts'

/** A tab that shows one terminal and draws nothing: it only counts and acknowledges. */
export interface LaneClient {
  received(): number
  /** Places where bytes did not follow those before them, screens included. */
  jumps(): number
  /** Resolves when this text was the last of a piece of the stream, or is on a screen. */
  untilEnd(text: string): Promise<void>
  close(): void
}

export async function openLaneClient(
  server: TestServer,
  session: string,
  { frozen = false } = {},
): Promise<LaneClient> {
  const { ticket } = await server.client.call(routes.ticket, { body: {} })
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/socket`)
  await once(socket, 'open')
  const say = (message: object) => socket.send(JSON.stringify(message))
  let received = 0
  let jumps = 0
  let end = 0
  let tail = ''
  let onScreen: () => void = () => {}
  const drawn = new Promise<void>((resolve) => {
    onScreen = resolve
  })
  let awaited: { text: string; done: () => void } | null = null

  function onBytes(message: Buffer): void {
    const piece = decodeTerminalBytes(message)
    if (piece === null) return
    if (piece.offset !== end) jumps += 1
    received += piece.bytes.length
    end = piece.offset + piece.bytes.length
    tail = (tail + message.toString('latin1', Math.max(10, message.length - 200))).slice(-400)
    drew()
  }

  function drew(): void {
    if (awaited !== null && tail.includes(awaited.text)) awaited.done()
    say({ type: 'ack', session, offset: end })
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return onBytes(data)
    const frame = JSON.parse(data.toString('utf8'))
    if (frame.type !== 'screen') return
    onScreen()
    jumps += 1
    end = frame.offset
    tail = frame.data
    drew()
  })
  say({ type: 'ticket', ticket })
  say({ type: 'view', session, rows: 24, cols: 80, visible: true })
  await drawn
  if (frozen) socket.pause()
  jumps = 0
  received = 0
  return {
    received: () => received,
    jumps: () => jumps,
    untilEnd: (text) =>
      new Promise((resolve) => {
        awaited = { text, done: resolve }
      }),
    close: () => socket.terminate(),
  }
}
