import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import type { Page, Request, WebSocket } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { World } from '../support/world.ts'

const folder = join(process.cwd(), 'examples', 'react')

/** The example as its README starts it, beside the server of a file's tests and for all of them. Gives its start address. */
export function useExample(world: World): () => string {
  let npm: ChildProcess
  let address = ''
  beforeAll(async () => {
    npm = spawn('npm', ['start', '--silent'], {
      cwd: folder,
      env: { ...process.env, TANDEM_HOME: world.server.home, NODE_ENV: 'development' },
      stdio: ['ignore', 'pipe', 'inherit'],
      // npm starts another process: both end together.
      detached: true,
    })
    address = await addressOf(npm)
  })
  afterAll(async () => {
    const ended = once(npm, 'close')
    process.kill(-npm.pid!)
    await ended
  })
  return () => address
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface(stdout!)) {
    const [, address] = /^Open this: (\S+)$/.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error('the example ended before it said where it is')
}

/** What a page holds open: streams of events, and sockets. */
export interface Connections {
  open(): number
  /** Resolves when there are so many. */
  until(count: number): Promise<void>
}

export function watchConnections(page: Page): Connections {
  const held = new Set<Request | WebSocket>()
  let changed = () => {}
  const change = (what: () => void) => {
    what()
    changed()
  }
  const over = (request: Request) => change(() => held.delete(request))
  page.on('request', (request) => {
    if (request.url().includes('/events?')) change(() => held.add(request))
  })
  page.on('requestfailed', over)
  page.on('requestfinished', over)
  page.on('websocket', (socket) => {
    if (!socket.url().endsWith('/v1/socket')) return
    change(() => held.add(socket))
    socket.on('close', () => change(() => held.delete(socket)))
  })
  return {
    open: () => held.size,
    until: (count) =>
      new Promise((resolve) => {
        changed = () => {
          if (held.size === count) resolve()
        }
        changed()
      }),
  }
}
