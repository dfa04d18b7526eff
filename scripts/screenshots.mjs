// `npm run screenshots`: the pictures of docs/screenshots, of the built product in Chromium. The home, the
// model and the clock are the story's own, so that a picture changes only when the page does.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { startModel } from './screenshots/model.mjs'
import { smallerPng } from './screenshots/smaller-png.mjs'
import { tell } from './screenshots/story.mjs'
import { clock, startWorld } from './screenshots/world.mjs'

const root = new URL('..', import.meta.url).pathname
const target = join(root, 'docs/screenshots')
const desk = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true }
/** Every clone of the repository pays for them. */
const mostBytes = 150_000
/** After everything in the story has happened. */
const now = Date.parse(clock) + 58_000

async function main() {
  await mkdir(target, { recursive: true })
  const model = await startModel()
  const world = await startWorld({ model, root })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  try {
    const sessions = await tell(world, model)
    for (const theme of ['dark', 'light']) {
      const open = openPages({ browser, world, theme })
      await onDesk(open, sessions)
      await onPhone(open, sessions)
    }
  } finally {
    await browser.close()
    await world.close()
    model.close()
  }
}

/** Opens a session in a browser of its own; gives what takes its picture. */
function openPages({ browser, world, theme }) {
  return async ({ session, settings = {}, ...options }) => {
    const still = { timezoneId: 'UTC', locale: 'en-GB', reducedMotion: 'reduce' }
    const context = await browser.newContext({ ...options, ...still })
    const page = await context.newPage()
    await page.clock.setFixedTime(now)
    const { url } = await world.call('POST', '/v1/secrets')
    const kept = JSON.stringify({ theme, ...settings })
    await page.addInitScript((text) => localStorage.setItem('tandem.settings', text), kept)
    await page.goto(url)
    await page.getByRole('button', { name: 'Start a session' }).waitFor()
    await page.evaluate((id) => void (location.hash = `session=${id}`), session)
    await page.locator('.connection.is-live').waitFor()
    async function take(name) {
      await page.evaluate(() => document.fonts.ready)
      await page.waitForLoadState('networkidle')
      const png = await page.screenshot({ caret: 'hide' })
      const small = smallerPng(png)
      if (small.length > mostBytes) throw new Error(`${name} has ${small.length} bytes`)
      await writeFile(join(target, `${name}-${theme}.png`), small)
      console.log(`docs/screenshots/${name}-${theme}.png`)
    }
    return { page, take, aheadMs: world.aheadMs, close: () => context.close() }
  }
}

async function onDesk(open, { main: talk, dev, empty }) {
  const start = await open({ ...desk, session: empty })
  await start.page.getByText('One shell, two drivers').waitFor()
  await start.take('start')
  await start.close()

  const session = await open({ ...desk, session: talk, settings: { terminalOpen: true } })
  await session.page.locator('.ask-card .is-go:enabled').waitFor()
  await session.page.locator('.hljs-keyword').first().waitFor()
  await session.page.locator('.xterm-screen').waitFor()
  await session.take('session')
  await session.close()

  const runs = await open({ ...desk, session: dev, settings: { terminalOpen: true } })
  await runs.page.getByText('/checkout').first().waitFor()
  await runs.page.locator('.xterm-screen').waitFor()
  await runs.take('runs')
  await runs.close()

  const palette = await open({ ...desk, session: talk })
  await palette.page.locator('.ask-card .is-go:enabled').waitFor()
  await showPalette(palette.page)
  await palette.take('palette')
  await palette.close()

  const replay = await open({ ...desk, session: talk })
  await replay.page.locator('.ask-card .is-go:enabled').waitFor()
  await replay.page.route('**/export?format=cast', inStoryTime(replay.aheadMs))
  await showPalette(replay.page)
  await replay.page.keyboard.type('Replay')
  await replay.page.keyboard.press('Enter')
  await replay.page.getByLabel('Place in the recording').focus()
  await replay.page.keyboard.press('[')
  await replay.page.locator('.xterm-screen').waitFor()
  await replay.take('replay')
  await replay.close()
}

/** A recording has the times of the machine's clock. */
function inStoryTime(aheadMs) {
  return async (route) => {
    const response = await route.fetch()
    const [header, ...lines] = (await response.text()).trimEnd().split('\n')
    const moved = lines.map((line) => {
      const [seconds, ...rest] = JSON.parse(line)
      return JSON.stringify([seconds - aheadMs / 1_000, ...rest])
    })
    await route.fulfill({ response, body: `${[header, ...moved].join('\n')}\n` })
  }
}

async function showPalette(page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
}

async function onPhone(open, { main: talk, dev }) {
  const chat = await open({ ...phone, session: talk })
  await chat.page.locator('.ask-card .is-go:enabled').waitFor()
  await chat.take('phone-chat')
  await chat.close()

  const terminal = await open({ ...phone, session: dev })
  await terminal.page.getByRole('tab', { name: /terminal/i }).tap()
  await terminal.page.locator('.xterm-screen').waitFor()
  await terminal.take('phone-terminal')
  await terminal.close()
}

await main()
