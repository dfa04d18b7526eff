// needs: chromium
import { patience } from '../../support/patience.ts'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { routes } from '../../../src/protocol/http/routes.ts'
import type { SessionId } from '../../../src/protocol/events/seq.ts'
import type { TestServer } from '../../support/server.ts'

/** One visit of the page by a person of its own: own storage, own tabs. */
export interface Visit {
  page: Page
  /** Requests that went anywhere but to the server. */
  foreign: readonly string[]
  /** What the page complained about: errors, and what its policy stopped. */
  faults: readonly string[]
  /** Another tab of the same browser. */
  tab(): Promise<Page>
  /** Types a line into the composer and sends it by Enter. */
  say(text: string): Promise<void>
  composer: Locator
  /** The entry of a run, once its line has this text. */
  run(text: string | RegExp): Locator
  /** Resolves when this is to be seen. */
  sees(what: Locator | string | RegExp): Promise<void>
  close(): Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** Open this session; else the page is left where the start address leads. */
  session?: SessionId
}

/** Debian's own browser, found as a person would find it. */
function chromiumPath(): string {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
  if (found === undefined) throw new Error('the page is tested in chromium: apt install chromium')
  return found
}

/** With as little of its own as can be: no sandbox for root, no small /dev/shm. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}

/** A fresh start address, as `tandem web` prints it. */
export async function startAddress(server: TestServer): Promise<string> {
  const { url } = await server.client.call(routes.secret, {})
  return url
}

export async function startVisit(
  browser: Browser,
  server: TestServer,
  { session, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.setDefaultTimeout(30_000 * patience)
  const foreign: string[] = []
  const faults: string[] = []
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.host !== new URL(server.url).host)
      foreign.push(url.href)
  })
  context.on('console', (message) => {
    // A server that a test stops is missed loudly by the browser itself.
    if (
      message.type() === 'error' &&
      !/Failed to load resource|WebSocket connection/.test(message.text())
    )
      faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(String(error.error())))
  const page = await context.newPage()
  const composer = page.locator('#composer')
  const sees = (what: Locator | string | RegExp) =>
    (typeof what === 'string' || what instanceof RegExp
      ? page.getByText(what).first()
      : what
    ).waitFor()
  await page.goto(await startAddress(server))
  if (session !== undefined) {
    await sees(page.getByRole('button', { name: 'Start a session' }))
    await page.evaluate((id) => void (location.hash = `session=${id}`), session)
    await sees(page.locator('.connection.is-live'))
  }
  return {
    page,
    foreign,
    faults,
    composer,
    tab: () => context.newPage(),
    async say(text) {
      await composer.fill(text)
      await composer.press('Enter')
    },
    run: (text) =>
      page
        // Not yet of a run: what is drawn at once, from what was typed.
        .locator('.msg-shell[data-source]')
        .filter({ has: page.locator('.run-line', { hasText: text }) })
        .last(),
    sees,
    close: () => context.close(),
  }
}

/** Presses keys one after the other, as fast as a test can. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Requests to these paths wait until they are let go, and from then on none does. */
export async function holdBack(
  page: Page,
  path: string,
): Promise<{ bodies: readonly string[]; release(): void }> {
  const bodies: string[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(path, async (route) => {
    bodies.push(route.request().postData() ?? '')
    await held
    // The page may have given it up meanwhile.
    await route.continue().catch(() => undefined)
  })
  return { bodies, release }
}

/** What the server says over the WebSockets that are opened from now on can be held up. */
export async function holdSocket(page: Page): Promise<{ hold(): void; release(): void }> {
  const held: (() => void)[] = []
  let isHeld = false
  await page.routeWebSocket(/\/v1\/socket/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message))
      else socket.send(message)
    })
  })
  return {
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      for (const say of held.splice(0)) say()
    },
  }
}

/** Every question offers this rule, on the sockets that are opened from now on. */
export async function offerRule(page: Page, words: string): Promise<void> {
  const withOffer = (_: string, value: unknown) =>
    isObject(value) && value['type'] === 'elicitation_request'
      ? { ...value, offer: { words } }
      : value
  await page.routeWebSocket(/\/v1\/socket/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) =>
      socket.send(
        typeof message === 'string' ? JSON.stringify(JSON.parse(message, withOffer)) : message,
      ),
    )
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
