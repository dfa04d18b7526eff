import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { serious } from './support/axe.ts'
import { useBrowser } from './support/browser.ts'
import { press } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()

const reply = `Here is **everything**: a [link](https://ok.example/), \`code\`, and

- a list
- [x] with a task

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
// a comment
const answer: number = 42 + "text".length
\`\`\`

> quoted

<shell>rm -rf dist</shell>`

async function expectSound(scheme: 'dark' | 'light'): Promise<void> {
  world.model.hush()
  const { page, say, run, sees, composer } = await visit(world.server, {
    colorScheme: scheme,
    reducedMotion: 'reduce',
  })
  await sees(page.getByRole('button', { name: 'Start a session' }))
  const found: Record<string, readonly string[]> = { welcome: await serious(page) }
  await page.getByRole('button', { name: 'Start a session' }).click()
  await sees('One shell, two drivers')
  found['empty'] = await serious(page)
  await say(`!printf '\\e[31mred\\e[0m \\e[1;34mblue\\e[0m \\e[2mdim\\e[0m\\n'; seq 30; false`)
  await sees(run('✗'))
  await say('!!true')
  await sees(run(/true — .*✓/))
  world.model.say(reply, 'Done.')
  await say('show me everything')
  await sees(page.locator('.ask-card .button.is-go:enabled'))
  await sees(page.locator('.hljs-keyword'))
  await press(page, 'Control+`')
  await sees(page.locator('.xterm-screen'))
  found['session'] = await serious(page)
  await composer.pressSequentially('/s')
  await sees(page.getByRole('listbox', { name: 'Completions' }))
  found['completion'] = await serious(page)
  await composer.fill('')
  await press(page, 'Control+k')
  await sees(page.getByRole('dialog', { name: 'Commands' }))
  found['palette'] = await serious(page)
  await press(page, 'Escape')
  await composer.blur()
  await press(page, '?')
  await sees(page.getByRole('dialog', { name: 'Help' }))
  found['help'] = await serious(page)
  await press(page, 'Escape')
  await page.evaluate(() => indexedDB.deleteDatabase('tandem-access'))
  await page.goto(`${world.server.url}/#`)
  await page.reload()
  await sees('Tandem is locked here')
  found['locked'] = await serious(page)
  const problems = Object.entries(found).filter(([, findings]) => findings.length > 0)
  expect(Object.fromEntries(problems)).toEqual({})
}

test('[WEB36] axe finds nothing serious on any main screen in the dark theme', () =>
  expectSound('dark'))

test('[WEB36] axe finds nothing serious on any main screen in the light theme', () =>
  expectSound('light'))

test('[WEB32] with reduced motion nothing moves by itself', async () => {
  const session = await world.server.session()
  let release = () => {}
  const ending = new Promise<void>((resolve) => (release = resolve))
  world.model.hush()
  // Twice: a turn of an earlier test may still ask.
  world.model.say({ pieces: [], ending }, { pieces: [], ending })
  const { page, say, sees } = await visit(world.server, {
    session: session.id,
    reducedMotion: 'reduce',
  })
  await say('think')
  await sees('Thinking…')
  // How long it takes is shown, and moves nothing but its number.
  await page.waitForFunction(() =>
    /^\d+ s$/.test(document.querySelector('.reply-thinking .run-clock')?.textContent ?? ''),
  )
  const moving = await page.evaluate(() => document.getAnimations().length)
  release()
  expect(moving).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
})

test('[WEB36] everything is done by keyboard alone: start, talk, run, approve, stop, find, change session', async () => {
  world.model.hush()
  const { page, sees, run, composer } = await visit(world.server)
  await sees(page.getByRole('button', { name: 'Start a session' }))
  await page.getByRole('button', { name: 'Start a session' }).focus()
  await press(page, 'Enter')
  await sees('One shell, two drivers')
  await press(page, '/')
  await page.keyboard.type('!echo by keys')
  await press(page, 'Enter')
  await sees(run(/echo by keys — .*✓/))
  world.model.say('<shell>rm -rf keys</shell>', 'Right.')
  await page.keyboard.type('clean up')
  await press(page, 'Enter')
  await sees(page.locator('.ask-card .button.is-go:enabled'))
  await press(page, 'Alt+a', 'd')
  await sees('Denied by you')
  // The hand that answered goes on writing.
  await page.keyboard.type('!sleep 1000')
  await press(page, 'Enter')
  await sees(run('⏳ Running...'))
  await press(page, 'Escape')
  await sees(run(/sleep 1000 — /))
  await press(page, 'Alt+f')
  await page.keyboard.type('nothing like it')
  await sees('Nothing found')
  await press(page, 'Control+a', 'Delete', 'Alt+n')
  await sees('The terminal came along')
  await press(page, 'Control+k')
  await sees(page.getByRole('combobox', { name: 'Commands' }))
  await page.keyboard.type('go to echo by keys')
  await press(page, 'Enter')
  await sees(run(/echo by keys/))
  // Tab leads through the page and out of it: nothing holds the focus.
  await composer.focus()
  const seen = new Set<string>()
  for (let n = 0; n < 40; n += 1) {
    await press(page, 'Tab')
    seen.add(await page.evaluate(() => document.activeElement?.className ?? ''))
  }
  expect(seen.size).toBeGreaterThan(5)
})
