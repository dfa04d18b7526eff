import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { holdBack, press } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()
let session: TestSession

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
})

/** A card that can be answered: it is inert at first. */
const ready = '.ask-card .button.is-go:enabled'

test('[WEB52] the answer of a `/command` is there at once, and its words once', async () => {
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('/task create Ship it')
  await sees(page.locator('.call-answer', { hasText: 'T0001' }))
  await say('/status')
  await sees(page.locator('.call-answer', { hasText: 'approval' }))
  expect(await page.locator('.call-line').allInnerTexts()).toEqual([
    '/task create Ship it',
    '/status',
  ])
})

test('[WEB7] a command that waits for a yes is shown once, and once when it has run', async () => {
  world.model.say('First this:\n\n<shell>rm -rf nothing</shell>\n\nand no more.', 'Done.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  await say('clean up')
  await sees(page.locator(ready))
  const chat = page.getByRole('log')
  const times = async () => (await chat.innerText()).split('rm -rf nothing').length - 1
  expect(await times()).toBe(1)
  await press(page, 'Alt+a', 'Shift+R')
  await sees('Done.')
  expect(await times()).toBe(1)
  const stored = session.all('message').find((message) => message.role === 'assistant')
  expect(JSON.stringify(stored?.parts)).toContain('<shell>rm -rf nothing</shell>')
})

test('[WEB52] to read a file and to type into a program are asked for in their own words', async () => {
  await writeFile(join(world.server.workspace, '.env'), 'KEY=1')
  world.model.say(
    'Not read. <shell>read -p "name? " name; echo "hi $name"</shell>',
    '<input>Ada</input>',
    'It said hi.',
  )
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say('what is in @.env ?')
  await sees('Let the model read this file?')
  await sees(page.locator(ready))
  expect(await page.getByRole('button', { name: 'Edit e' }).count()).toBe(0)
  await press(page, 'Alt+a', 'e', 'd')
  await sees('Denied by you')
  await sees('Run this for the model?')
  await sees(page.locator(ready))
  await press(page, 'Alt+a', 'Enter')
  await sees('Type this for the model?')
  await sees(page.locator(ready))
  expect(await page.locator('.ask-command').allInnerTexts()).toEqual(['Ada'])
  await press(page, 'Alt+a', 'Enter')
  await sees(run(/read -p .* ✓/).getByText('hi Ada'))
  await sees(page.locator('.call-line', { hasText: 'types Ada' }))
})

test('[WEB4] a short output is there whole, without a “Show more” before it; of a long one all is copied', async () => {
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say('!seq 3; false')
  await sees(run(/seq 3.*✗/).getByText('1\n2\n3'))
  const outputs = await holdBack(page, '**/output?**')
  await page.reload()
  await sees(run(/seq 3.*✗/))
  await expect.poll(() => outputs.bodies.length).toBe(1)
  expect(await page.getByText('Show more').count()).toBe(0)
  outputs.release()
  await sees(run(/seq 3.*✗/).getByText('1\n2\n3'))
  // Nor is anything said about the shell that was started for it.
  expect(await page.locator('.notice').count()).toBe(0)

  await say('!seq 30000')
  const long = run(/seq 30000.*✓/)
  await sees(long.getByText(/Show more/))
  await long.hover()
  await long.getByRole('button', { name: 'Copy output' }).click()
  await expect
    .poll(async () => (await page.evaluate(() => navigator.clipboard.readText())).length)
    .toBe(Array.from({ length: 30_000 }, (_, at) => `${at + 1}\n`).join('').length)
})

test('[WEB36] what comes with the pointer covers no text, and code in a line stands out from its ground', async () => {
  world.model.say(`Some \`code\` in a ${'very long '.repeat(30)} line.`)
  const { page, say, run, sees } = await visit(world.server, {
    session: session.id,
    colorScheme: 'light',
  })
  await say(`!echo ${'wide '.repeat(60)}`)
  await sees(run(/✓/).locator('.run-output pre'))
  await say('talk')
  await sees(page.locator('.reply[aria-busy="false"] code'))
  for (const { entry, text } of [
    { entry: run(/✓/), text: run(/✓/).locator('.command-text, .run-output pre') },
    { entry: page.locator('.reply'), text: page.locator('.reply p') },
  ]) {
    await entry.hover()
    expect(await coveredBy(entry.locator('.icon-button'), text)).toEqual([])
  }
  const lightness = (of: Locator) =>
    of.evaluate((element) => {
      const [red = 0, green = 0, blue = 0] = (
        getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []
      ).map(Number)
      return red + green + blue
    })
  const chip = await lightness(page.locator('.reply code'))
  expect(chip).toBeLessThan(await lightness(page.locator('body')))
})

/** The lines of a text that a button stands on. */
async function coveredBy(buttons: Locator, texts: Locator): Promise<readonly string[]> {
  const lines = await texts.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return [...range.getClientRects()].map(({ x, y, width, height }) => ({ x, y, width, height }))
    }),
  )
  const boxes = await buttons.evaluateAll((elements) =>
    elements.map((element) => element.getBoundingClientRect().toJSON() as DOMRect),
  )
  return lines
    .filter((line) =>
      boxes.some(
        (box) =>
          line.x < box.right &&
          line.x + line.width > box.x &&
          line.y < box.bottom &&
          line.y + line.height > box.y,
      ),
    )
    .map((line) => JSON.stringify(line))
}

test('[WEB16] what one said is shown once, also when the log is faster than the answer to it', async () => {
  world.model.say('Hello.')
  const { page, say, sees } = await visit(world.server, { session: session.id })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/send', async (route) => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  await say('hello there')
  await sees(page.locator('.prompt:not(.is-pending)'))
  expect(await page.locator('.prompt').count()).toBe(1)
  release()
  await sees('Hello.')
})
