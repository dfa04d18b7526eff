import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import type { Page, Request, WebSocket } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { TestServer } from '../support/server.ts'

const folder = join(process.cwd(), 'examples', 'react')

/** The example as its README starts it, beside a server of the test's. Resolves to its start address. */
export async function startExample({ home }: TestServer): Promise<string> {
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    env: { ...process.env, TANDEM_HOME: home, NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm starts another process: both end together.
    detached: true,
  })
  onTestFinished(async () => {
    const ended = once(npm, 'close')
    process.kill(-npm.pid!)
    await ended
  })
  const lines = createInterface(npm.stdout)
  for await (const line of lines) {
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
