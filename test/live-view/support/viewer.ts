import { Unicode11Addon } from '@xterm/addon-unicode11'
import headless from '@xterm/headless'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import {
  SocketFrame,
  type SocketRequest,
  decodeTerminalBytes,
  type ScreenFrame,
} from '../../../src/protocol/stream/frame.ts'
import { routes } from '../../../src/protocol/http/routes.ts'
import type { TestServer } from '../../support/server.ts'
import { createSignal } from '../../support/signal.ts'

export interface ViewOptions {
  from?: number
  rows?: number
  cols?: number
  visible?: boolean
  /** Draws nothing and acknowledges nothing until it thaws. */
  frozen?: boolean
}

/** One tab with one terminal in it, drawn by a real emulator that says what it has drawn. */
export interface TestViewer {
  socket: WebSocket
  frames: readonly SocketFrame[]
  screens: readonly ScreenFrame[]
  pieces: readonly { offset: number; bytes: Buffer }[]
  /** Places where bytes did not follow those before them. */
  gaps: readonly number[]
  /** The offset after the last byte received. */
  end(): number
  say(request: SocketRequest): void
  raw(message: string | Buffer): void
  type(data: string): void
  viewport(rows: number, cols: number, visible?: boolean): void
  thaw(): void
  until(condition: () => boolean): Promise<void>
  untilFrame<T extends SocketFrame['type']>(
    type: T,
    fits?: (frame: SocketFrame & { type: T }) => boolean,
  ): Promise<SocketFrame & { type: T }>
  /** The stream's text so far, screens and bytes, shows this. */
  untilSeen(text: string | RegExp): Promise<void>
  seen(): string
  /** The screen's text with the cursor, once all that came is drawn. */
  drawn(): Promise<{ lines: string[]; cursor: [number, number] }>
  close(): Promise<void>
}

export async function openTab(server: TestServer): Promise<WebSocket> {
  const { ticket } = await server.client.call(routes.ticket, { body: {} })
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/socket`)
  socket.on('error', () => {})
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'ticket', ticket }))
  await once(socket, 'message')
  return socket
}

export async function openViewer(
  server: TestServer,
  session: string,
  { frozen = false, from, rows = 24, cols = 80, visible = true }: ViewOptions = {},
): Promise<TestViewer> {
  const socket = await openTab(server)
  const terminal = new headless.Terminal({ rows, cols, allowProposedApi: true, logLevel: 'off' })
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  const frames: SocketFrame[] = []
  const screens: ScreenFrame[] = []
  const pieces: { offset: number; bytes: Buffer }[] = []
  const gaps: number[] = []
  const changed = createSignal()
  let end = from ?? 0
  let isFrozen = frozen
  let seen = ''

  const say = (request: SocketRequest) => socket.send(JSON.stringify(request))

  function draw(data: string | Uint8Array, offset: number): void {
    terminal.write(data, () => {
      if (!isFrozen && socket.readyState === socket.OPEN) say({ type: 'ack', session, offset })
    })
  }

  function onBytes(message: Buffer): void {
    const found = decodeTerminalBytes(message)
    if (found === null) throw new Error('not one of our messages')
    if (found.offset !== end) gaps.push(found.offset)
    const bytes = Buffer.from(found.bytes)
    pieces.push({ offset: found.offset, bytes })
    end = found.offset + bytes.length
    seen = (seen + bytes.toString('utf8')).slice(-200_000)
    draw(bytes, end)
  }

  function onFrame(frame: SocketFrame): void {
    frames.push(frame)
    if (frame.type === 'viewing') terminal.resize(frame.cols, frame.rows)
    if (frame.type !== 'screen') return
    screens.push(frame)
    end = frame.offset
    seen += frame.data
    terminal.resize(frame.cols, frame.rows)
    draw(frame.data, frame.offset)
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) onBytes(data)
    else onFrame(SocketFrame.parse(JSON.parse(data.toString('utf8'))))
    changed.fire()
  })

  async function untilFrame<T extends SocketFrame['type']>(
    type: T,
    fits: (frame: SocketFrame & { type: T }) => boolean = () => true,
  ): Promise<SocketFrame & { type: T }> {
    const find = () =>
      frames.find(
        (frame): frame is SocketFrame & { type: T } =>
          frame.type === type && fits(frame as SocketFrame & { type: T }),
      )
    await changed.until(() => find() !== undefined)
    return find()!
  }

  say({ type: 'view', session, ...(from === undefined ? {} : { from }), rows, cols, visible })
  await untilFrame('viewing')
  return {
    socket,
    frames,
    screens,
    pieces,
    gaps,
    end: () => end,
    say,
    raw: (message) => socket.send(message),
    type: (data) => say({ type: 'input', session, data }),
    viewport: (nextRows, nextCols, isVisible = true) =>
      say({ type: 'viewport', session, rows: nextRows, cols: nextCols, visible: isVisible }),
    thaw() {
      isFrozen = false
      say({ type: 'ack', session, offset: end })
    },
    until: changed.until,
    untilFrame,
    untilSeen: (text) =>
      changed.until(() => (typeof text === 'string' ? seen.includes(text) : text.test(seen))),
    seen: () => seen,
    async drawn() {
      await new Promise<void>((resolve) => terminal.write('', resolve))
      const { active } = terminal.buffer
      const lines = Array.from({ length: terminal.rows }, (_, row) =>
        active.getLine(active.baseY + row)!.translateToString(true),
      )
      return { lines, cursor: [active.cursorX, active.cursorY] }
    },
    async close() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
      terminal.dispose()
    },
  }
}
