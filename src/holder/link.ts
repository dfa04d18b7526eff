import { createServer, type Server, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import {
  createFrameReader,
  encodeFrame,
  encodeOffset,
  frameHeader,
  frameKind,
} from '../protocol/holder-wire.ts'

export interface LinkOptions {
  /** The first frame of a connection, taken at the moment it is sent. */
  hello: () => object
  onFrame: (kind: number, payload: Buffer) => void
  onConnect: () => void
  onDisconnect: () => void
}

type When = 'soon' | 'now'

/** The holder's end of the socket: at most one server at a time. */
export interface Link {
  /** Where it listened before, it does so no more; who is connected stays. */
  listen: (path: string) => Promise<void>
  /** The clean stream at this offset; skipped while the server is too far behind. */
  data: (piece: { offset: number; bytes: Buffer; when: When }) => void
  /** A body goes as it is if it is bytes, else as JSON. */
  send: (kind: number, body: object) => void
  /** What will soon be followed by more and says little alone: may wait for it a moment. */
  sendLazily: (kind: number, body: object) => void
  close: () => void
}

/** A server that far behind reads the byte log instead; the shell never waits for it. */
const maxLagBytes = 4 * 1024 * 1024
/** A wake-up of the server costs more than this wait; a flood does not wait. */
const lazyMs = 2
const lazyBytes = 64 * 1024
/** Nearly what the kernel gives in one read of a terminal: more is behind it. */
const floodBytes = 3 * 1024
/** How long an old server may take to leave when a new one is there. */
const takeOverMs = 200

export function createLink({ hello, onFrame, onConnect, onDisconnect }: LinkOptions): Link {
  let server: Server | null = null
  let current: Socket | null = null
  let next: Socket | null = null
  let flushing: 'no' | When = 'no'
  let timer: NodeJS.Timeout | null = null
  let run: { offset: number; pieces: Buffer[]; bytes: number } | null = null
  let waiting: Uint8Array[] = []
  let skippedTo: number | null = null
  let floodedAt = Number.NEGATIVE_INFINITY

  function write(bytes: Uint8Array): void {
    if (current === null) return
    schedule('now')
    waiting.push(bytes)
  }

  function schedule(when: When): void {
    if (when === 'soon' && flushing === 'no') timer = setTimeout(flush, lazyMs)
    if (when === 'now' && flushing === 'no') setImmediate(flush)
    if (flushing === 'no') flushing = when
  }

  /** Ends the wait of what was sent lazily. */
  function hurry(): void {
    if (flushing !== 'soon') return
    flushing = 'now'
    setImmediate(flush)
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    writeRun()
    flushing = 'no'
    if (waiting.length === 0) return
    // Marks and bytes of one wake-up leave together; a copy costs less than many writes.
    const bytes = Buffer.concat(waiting)
    waiting = []
    current?.write(bytes)
  }

  function writeRun(): void {
    if (run === null) return
    const { offset, pieces, bytes } = run
    run = null
    if (current === null) return
    if (bytes >= floodBytes) floodedAt = performance.now()
    skippedTo = current.writableLength > maxLagBytes ? offset + bytes : null
    if (skippedTo !== null) return
    write(frameHeader(frameKind.data, bytes + 8))
    write(encodeOffset(offset))
    for (const piece of pieces) write(piece)
  }

  /** Nothing more may come for hours: a server that has caught up is told how far the stream is. */
  function tellSkipped(): void {
    if (skippedTo === null) return
    write(encodeFrame(frameKind.data, encodeOffset(skippedTo)))
    skippedTo = null
  }

  function sendLazily(kind: number, body: object): void {
    if (current === null) return
    schedule('soon')
    writeRun()
    const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
    waiting.push(encodeFrame(kind, bytes))
  }

  function send(kind: number, body: object): void {
    sendLazily(kind, body)
    hurry()
  }

  function welcome(socket: Socket): void {
    current = socket
    next = null
    onConnect()
    send(frameKind.hello, hello())
    const read = createFrameReader((kind, payload) =>
      onFrame(kind, Buffer.from(payload.buffer, payload.byteOffset, payload.length)),
    )
    socket.on('data', (bytes: Buffer) => {
      try {
        read(bytes)
      } catch {
        socket.destroy()
      }
    })
    socket.on('drain', tellSkipped)
    socket.resume()
  }

  function leave(socket: Socket): void {
    if (next === socket) next = null
    if (current !== socket) return
    current = null
    run = null
    waiting = []
    skippedTo = null
    if (timer !== null) clearTimeout(timer)
    timer = null
    flushing = 'no'
    onDisconnect()
    if (next !== null) welcome(next)
  }

  function accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    socket.on('close', () => leave(socket))
    if (current === null) return welcome(socket)
    // What the old server still sent comes first: a dead one's socket ends after its last frame.
    next?.destroy()
    next = socket
    socket.pause()
    const old = current
    setTimeout(() => old.destroy(), takeOverMs)
  }

  return {
    listen: (path) =>
      new Promise((resolve, reject) => {
        const next = createServer(accept)
        next.once('error', reject)
        next.listen(path, () => {
          server?.close()
          server = next
          resolve()
        })
      }),
    data({ offset, bytes, when }) {
      if (current === null) return
      run ??= { offset, pieces: [], bytes: 0 }
      run.pieces.push(bytes)
      run.bytes += bytes.length
      // In a flood many small reads leave together.
      schedule(performance.now() - floodedAt < lazyMs ? 'soon' : when)
      if (run.bytes > lazyBytes) hurry()
    },
    send,
    sendLazily,
    close() {
      flush()
      server?.close()
      next?.destroy()
      current?.end()
    },
  }
}
