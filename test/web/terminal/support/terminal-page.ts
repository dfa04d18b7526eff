import type { BrowserContextOptions, Page } from 'playwright-core'
import type { TestServer } from '../../../support/server.ts'
import type { useBrowser } from '../../support/browser.ts'
import type { Visit } from '../../support/visit.ts'

export interface OpenOptions {
  session: string
  width?: number
  height?: number
  theme?: 'dark' | 'light'
  /** Whether the text is in the document, where a test can read it; else it is a picture. */
  isSpoken?: boolean
  /** What kind of screen it is, beside its size. */
  screen?: Pick<BrowserContextOptions, 'deviceScaleFactor' | 'isMobile' | 'hasTouch'>
}

/** The page with the terminal of one session to be seen. */
export interface TerminalPage extends Visit {
  /** Resolves when the screen shows this. */
  shows(text: string | RegExp): Promise<void>
  /** The screen's lines, without the blanks at their ends. */
  lines(): Promise<string[]>
  /** Puts the focus into the terminal as a click does. */
  focus(): Promise<void>
}

/** Below this the page shows the terminal behind a tab. */
const narrow = 900

export async function openTerminal(
  visit: ReturnType<typeof useBrowser>,
  server: TestServer,
  options: OpenOptions,
): Promise<TerminalPage> {
  const { session, theme = 'dark', width = 1_280, height = 720, isSpoken = true } = options
  const stored = {
    'tandem.terminal': { isSpoken },
    'tandem.settings': { theme, terminalOpen: true, listOpen: false, split: 0.3 },
  }
  const localStorage = Object.entries(stored).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
  }))
  const opened = await visit(server, {
    session,
    viewport: { width, height },
    ...options.screen,
    storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] },
  })
  const { page } = opened
  if (width < narrow) await page.getByRole('tab', { name: 'terminal' }).click()
  return {
    ...opened,
    lines: () => page.evaluate(screenLines),
    shows: (text) => showing(page, text),
    focus: () => page.locator('.xterm-screen').click(),
  }
}

/** Runs in the page. */
function screenLines(): string[] {
  const rows = document.querySelectorAll('.xterm-accessibility-tree > div')
  return Array.from(rows, (row) => (row.textContent ?? '').replace(/[\s\u00a0]+$/, ''))
}

async function showing(page: Page, text: string | RegExp): Promise<void> {
  const fits = (shown: string) =>
    typeof text === 'string' ? shown.includes(text) : text.test(shown)
  const now = async () => (await page.evaluate(screenLines)).join('\n').trimEnd()
  for (let shown = await now(); !fits(shown); shown = await now())
    // A whole frame later at the earliest: the page tells, nothing is slept away.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
}
