import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { build } from 'vite'
import { documentPolicy } from '../../../../src/server/http/headers.ts'
import { tempFolder } from '../../../support/temp.ts'
import type { TestServer } from '../../../support/server.ts'

/** A browser with the bare terminal page, served as if the real server had it. */
export interface Harness {
  open(server: TestServer, options: OpenOptions): Promise<TerminalPage>
  close(): Promise<void>
}

export interface OpenOptions {
  session: string
  width?: number
  height?: number
  theme?: 'dark' | 'light'
  isReplay?: boolean
  isSpoken?: boolean
  /** Whether the browser gives the page a graphics context. */
  hasGraphics?: boolean
}

export interface TerminalPage {
  page: Page
  context: BrowserContext
  /** Requests that went anywhere but to the server. */
  foreign: readonly string[]
  /** What the page complained about: errors, and what its policy stopped. */
  faults: readonly string[]
  /** Resolves when the screen shows this. */
  shows(text: string | RegExp): Promise<void>
  /** The screen's lines, without the blanks at their ends. */
  lines(): Promise<string[]>
  /** Puts the focus into the terminal as a click does. */
  focus(): Promise<void>
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

export async function startHarness(): Promise<Harness> {
  const temp = await tempFolder()
  await build({
    root: fileURLToPath(new URL('../harness/', import.meta.url)),
    base: '/harness/',
    logLevel: 'error',
    configFile: false,
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      outDir: temp.path,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      minify: false,
    },
  })
  const browser: Browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--enable-unsafe-swiftshader',
      // The page is put in by the test, so the browser does not know that it is local itself.
      '--disable-features=LocalNetworkAccessChecks',
    ],
  })
  return {
    open: (server, options) => openPage({ browser, folder: temp.path, server }, options),
    async close() {
      await browser.close()
      await temp.remove()
    },
  }
}

interface Place {
  browser: Browser
  folder: string
  server: TestServer
}

async function openPage(place: Place, options: OpenOptions): Promise<TerminalPage> {
  const { server } = place
  const { session, theme = 'dark', width = 1_000, height = 640, isReplay = false } = options
  const context = await place.browser.newContext({ viewport: { width, height } })
  const page = await context.newPage()
  // The picture cannot be read; the text for screen readers can, and is the same.
  await context.addInitScript(
    (isSpoken) => localStorage.setItem('tandem.terminal', JSON.stringify({ isSpoken })),
    options.isSpoken ?? true,
  )
  if (options.hasGraphics === false)
    await context.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
  const foreign: string[] = []
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted Type/i.test(message.text())) faults.push(message.text())
  })
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== server.url) foreign.push(request.url())
  })
  await page.route(`${server.url}/harness/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice('/harness/'.length) || 'index.html'
    const headers = {
      'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain',
      'content-security-policy': documentPolicy(Number(new URL(server.url).port)),
    }
    await route.fulfill({ body: await readFile(join(place.folder, name)), headers })
  })
  const hash = new URLSearchParams({ token: server.token, session, theme })
  if (isReplay) hash.set('replay', 'yes')
  await page.goto(`${server.url}/harness/#${hash.toString()}`)

  const rows = page.locator('.xterm-accessibility-tree > div')
  const lines = async () =>
    (await rows.allInnerTexts()).map((line) => line.replace(/[\s\u00a0]+$/, ''))
  return {
    page,
    context,
    foreign,
    faults,
    lines,
    async shows(text) {
      await page.waitForFunction(
        ({ source, flags }) => {
          const rows = document.querySelectorAll('.xterm-accessibility-tree > div')
          const shown = Array.from(rows, (row) =>
            (row.textContent ?? '').replace(/[\s\u00a0]+$/, ''),
          )
          return new RegExp(source, flags).test(shown.join('\n').trimEnd())
        },
        typeof text === 'string'
          ? { source: text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), flags: '' }
          : { source: text.source, flags: text.flags },
        { timeout: 30_000 },
      )
    },
    focus: () => page.locator('.xterm-screen').click(),
    close: () => context.close(),
  }
}
