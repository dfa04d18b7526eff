// needs: chromium
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { programPath } from '../support/program-path.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const hostile = `<script>document.title='caught'</script><img src=x onerror="document.title='caught'">"'></pre></details><style>*{display:none}</style>&lt;b&gt;\u202e`

test('[EXP3] in a browser hostile text is text, and nothing of it runs, loads or hides', async () => {
  const { server, model } = world
  const session = await server.session()
  await writeFile(join(server.workspace, 'hostile'), hostile)
  await session.run('cat hostile')
  model.say(hostile)
  await session.send(hostile)
  await session.until('agent_end')
  await server.patch(session.id, { title: hostile })
  const text = await server.client.document(routes.export, {
    params: { id: session.id },
    query: { format: 'html' },
  })
  const file = join(server.workspace, 'page.html')
  await writeFile(file, text)
  const browser = await chromium.launch({
    executablePath: programPath('chromium'),
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    const faults: string[] = []
    page.on('console', (message) => void faults.push(message.text()))
    await page.goto(pathToFileURL(file).href)
    const found = await page.evaluate(() => {
      const names = [...document.body.querySelectorAll('*')].map((element) => element.localName)
      const texts = [...document.querySelectorAll('p.text')].map((element) => element.textContent)
      const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
        element.getAttributeNames(),
      )
      return { title: document.title, names: [...new Set(names)], texts, attributes }
    })
    const shown = hostile.replace('\u202e', 'U+202E')
    expect(found.title).toBe(shown)
    expect(found.texts).toEqual([shown, shown])
    expect(found.names.sort()).toEqual([
      'article',
      'details',
      'h1',
      'h2',
      'header',
      'main',
      'p',
      'pre',
      'span',
      'summary',
      'time',
    ])
    expect(found.attributes.filter((name) => /^on|src|href/.test(name))).toEqual([])
    expect(asked).toEqual([pathToFileURL(file).href])
    expect(faults).toEqual([])
    await page.click('summary')
    expect(await page.textContent('details pre')).toContain('<script>document.title=')
  } finally {
    await browser.close()
  }
})
