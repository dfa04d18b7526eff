import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useServer } from '../../support/world.ts'
import { useBrowser } from '../support/browser.ts'
import { openTerminal, type OpenOptions } from './support/terminal-page.ts'

const world = useServer()
const visit = useBrowser()

async function open(options: Partial<OpenOptions> = {}) {
  const session = await world.server.session()
  const tab = await openTerminal(visit, world.server, { session: session.id, ...options })
  await tab.shows(/[$#]$/)
  return { session, tab }
}

/** Things that would reach beyond the screen, and counts that would keep an emulator busy for hours. */
const evil = [
  '\x1b]52;c;cm0gLXJmIC8K\x07',
  '\x1b]52;c;?\x07',
  '\x1b]0;<img src=x onerror=alert(1)>\x07',
  '\x1b]8;;javascript:alert(1)\x1b\\script-link\x1b]8;;\x1b\\ ',
  '\x1b]8;;https://evil.example/\x1b\\page-link\x1b]8;;\x1b\\ ',
  '\x1b]8;;file:///etc/passwd\x1b\\file-link\x1b]8;;\x1b\\\r\n',
  '<script>alert(1)</script><img src=https://evil.example/x.png>\r\n',
  '\x1bP$qm\x1b\\\x1b[c\x1b[>c\x1b[6n\x1b[5n\x1b[?2004$p\x1b]10;?\x07\x1b]4;1;?\x07\x1b[18t\x1b[21t\x1b[>q',
  ...['S', 'T', 'L', 'M', '@', 'P', 'X', 'b'].map((final) => `\x1b[2147483647${final}`),
  '\x1b[999;999H\x1b[1J\x1b[2J\x1b[3J\x1b[H',
  '\x1b]1337;File=inline=1:aGk=\x07\x1bPq#0;2;0;0;0~\x1b\\',
  'harm\x1b[0mless\r\n',
].join('')

test('[TERMWEB16] hostile output makes no foreign request, runs no script, and sets no clipboard or title', async () => {
  const { session, tab } = await open()
  await tab.page.evaluate(() => navigator.clipboard.writeText('mine'))
  await writeFile(join(world.server.workspace, 'evil.txt'), evil)
  // It hears the answers itself, or they would be typed at the prompt.
  await session.send('!cat evil.txt; while [[ $h != *X* ]]; do IFS= read -rsn1 c; h+=$c; done')
  await tab.shows(/^harmless$/m)
  await tab.focus()
  await tab.page.keyboard.type('X')
  await session.until('run_end')
  await tab.page.keyboard.type('echo al""ive\n')
  await tab.shows(/^alive$/m)
  expect(await tab.page.evaluate(() => navigator.clipboard.readText())).toBe('mine')
  expect(await tab.page.title()).not.toContain('onerror')
  expect(tab.faults).toEqual([])
  expect(tab.foreign).toEqual([])
})

test('[TERMWEB16] a link is followed only if it leads to a page, and only on a click that was meant', async () => {
  const { session, tab } = await open()
  const opened: string[] = []
  tab.page.context().on('request', (request) => {
    if (request.isNavigationRequest()) opened.push(request.url())
  })
  await tab.page
    .context()
    .route('https://evil.example/**', (route) =>
      route.fulfill({ body: '<p>page</p>', contentType: 'text/html' }),
    )
  await session.run(
    String.raw`printf '\e[2J\e[H\e]8;;javascript:alert(1)\e\\script-link\e]8;;\e\\\n\e]8;;https://evil.example/\e\\page-link\e]8;;\e\\\n'`,
  )
  await tab.shows('page-link')
  const at = async (row: number) => {
    const box = (await tab.page.locator('.xterm-screen').boundingBox())!
    const height = box.height / (await tab.lines()).length
    return { x: box.x + 20, y: box.y + height * (row + 0.5) }
  }
  const click = async (row: number, isMeant: boolean) => {
    const { x, y } = await at(row)
    await tab.page.mouse.move(x - 5, y)
    await tab.page.mouse.move(x, y)
    if (isMeant) await tab.page.keyboard.down('Control')
    await tab.page.mouse.click(x, y)
    if (isMeant) await tab.page.keyboard.up('Control')
  }
  const lines = await tab.lines()
  const row = (text: string) => lines.findIndex((line) => line === text)
  await click(row('script-link'), true)
  await click(row('page-link'), false)
  expect(tab.page.context().pages()).toHaveLength(1)
  const popup = tab.page.context().waitForEvent('page')
  await click(row('page-link'), true)
  const page = await popup
  await page.waitForLoadState()
  expect(page.url()).toBe('https://evil.example/')
  expect(await page.evaluate(() => opener)).toBe(null)
  expect(opened).toEqual(['https://evil.example/'])
  expect(tab.faults).toEqual([])
})

test('[TERMWEB16] a question of a program is answered once, however many pages are open', async () => {
  const { session, tab } = await open()
  const other = await openTerminal(visit, world.server, { session: session.id })
  await other.shows(/[$#]$/)
  const asks = String.raw`printf '\e[c\e[5n\e[?7$p\e]11;?\e\\as''ked\r\n'`
  // Byte by byte, until both have said their word.
  const hear = 'while [[ $h != *X* || $h != *Y* ]]; do IFS= read -rsn1 c; h+=$c; done'
  await session.send(`!${asks}; ${hear}; printf %s "$h" | od -An -c | tr -d ' \\n'`)
  await Promise.all([tab.shows('asked'), other.shows('asked')])
  // Whatever a page would answer is on its way before this.
  await tab.focus()
  await tab.page.keyboard.type('X')
  await other.focus()
  await other.page.keyboard.type('Y')
  const end = await session.until('run_end')
  expect(end.exitCode).toBe(0)
  const { content } = await session.until('tool_response')
  expect(content.match(/\[\?[\d;]*c/g)).toHaveLength(1)
  expect(content.match(/\[0n/g)).toHaveLength(1)
  expect(content.match(/\[\?7;\d\$y/g)).toHaveLength(1)
  expect(content.match(/\]11;rgb/g)).toHaveLength(1)
})

test('[TERMWEB14] without a graphics card, or when it is taken away, the terminal goes on', async () => {
  const session = await world.server.session()
  const tab = await openTerminal(visit, world.server, { session: session.id, isSpoken: false })
  await tab.page.locator('.xterm-screen canvas').first().waitFor()
  await tab.page.evaluate(() => {
    for (const canvas of document.querySelectorAll('canvas'))
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
  })
  await tab.page.locator('.xterm-rows').waitFor()
  await session.run('echo with""out')
  await tab.page.locator('.xterm-rows', { hasText: 'without' }).waitFor()
  const bare = await openTerminal(visit, world.server, { session: session.id, isSpoken: false })
  await bare.page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await bare.page.reload()
  await bare.page.locator('.xterm-rows', { hasText: 'without' }).waitFor()
  expect(bare.faults).toEqual([])
})

test('[TERMWEB14] on a phone the terminal is drawn without the graphics card, whose pixels some tell wrong', async () => {
  const session = await world.server.session()
  await session.run('echo on-a-ph""one')
  const screen = { deviceScaleFactor: 2, isMobile: true, hasTouch: true }
  const size = { width: 390, height: 760, isSpoken: false }
  const phone = await openTerminal(visit, world.server, { session: session.id, ...size, screen })
  await phone.page.locator('.xterm-rows', { hasText: 'on-a-phone' }).waitFor()
})
