import { createServer, type Server, type Socket } from 'node:net'
import type { Hello } from '../../protocol/holder/holder.ts'
import { frameKind } from '../../protocol/holder/frames.ts'
import type { Outbox } from './outbox.ts'
import { createRequestReader, type RequestTable } from './requests.ts'

interface LinkOptions {
  outbox: Outbox
  requests: RequestTable
  /** The first frame of a connection, taken at the moment it is sent. */
  hello: () => Hello
  onConnect: () => void
  onDisconnect: () => void
}

/** How long an old server may take to leave when a new one is there. */
const takeOverMs = 200

/** The holder's socket: at most one server at a time. */
export function createLink(options: LinkOptions) {
  const { outbox, requests, hello, onConnect, onDisconnect } = options
  let server: Server | null = null
  let current: Socket | null = null
  let next: Socket | null = null

  function welcome(socket: Socket): void {
    current = socket
    next = null
    // Made before anything can be sent: a log that cannot be written says so meanwhile, and the hello has to come first.
    const greeting = hello()
    outbox.attach(socket)
    onConnect()
    outbox.send(frameKind.hello, greeting)
    socket.on(
      'data',
      createRequestReader(requests, () => socket.destroy()),
    )
    socket.resume()
  }

  function leave(socket: Socket): void {
    if (next === socket) next = null
    if (current !== socket) return
    current = null
    outbox.detach()
    onDisconnect()
    if (next !== null) welcome(next)
  }

  function accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    socket.on('close', () => leave(socket))
    if (current === null) return welcome(socket)
    // The last frames of the old server come first: a dead one's socket ends after them.
    next?.destroy()
    next = socket
    socket.pause()
    const old = current
    setTimeout(() => old.destroy(), takeOverMs)
  }

  return {
    /** Listens here, and no more at the path before; a server that is connected stays. */
    listen: (path: string) =>
      new Promise<void>((resolve, reject) => {
        const opened = createServer(accept)
        opened.once('error', reject)
        opened.listen(path, () => {
          server?.close()
          server = opened
          resolve()
        })
      }),
    close(): void {
      outbox.flush()
      server?.close()
      next?.destroy()
      current?.end()
    },
  }
}
