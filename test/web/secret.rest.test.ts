// needs: chromium
// takes: 55 s
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { ExportFormat } from '../../src/protocol/http/page-routes.ts'
import { everythingKept } from '../faults/support/everything-kept.ts'
import { hashOf, writePrograms } from '../faults/support/hidden-prompts.ts'
import { createLeakSearch } from '../faults/support/leak-search.ts'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { press } from './support/visit.ts'
import { openTerminal } from './terminal/support/terminal-page.ts'

const world = useWorld({ config: { personSilenceSeconds: 0, modelRunSeconds: 0 } })
const visit = useBrowser()

const newSecret = () => randomBytes(16).toString('hex')

/** All that the browser keeps for this page, and what stands in it but in the masked field. */
const browserKeeps = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('no reason')))
      })
    const rows: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await done(indexedDB.open(name))
      for (const store of db.objectStoreNames)
        rows.push(await done(db.transaction(store).objectStore(store).getAll()))
      db.close()
    }
    const lines = [...document.querySelectorAll('textarea')].map(({ value }) => value)
    const shown = [document.title, document.body.innerText, location.href, history.state, lines]
    return JSON.stringify([localStorage, sessionStorage, rows, shown])
  })

/** Every value that the page ever kept, also for a moment. */
async function watchKeeps(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const kept: string[] = []
    Object.assign(globalThis, { kept })
    const set = Storage.prototype.setItem
    Storage.prototype.setItem = function (name, value) {
      kept.push(value)
      set.call(this, name, value)
    }
  })
  await page.reload()
  return () => page.evaluate(() => JSON.stringify(Reflect.get(globalThis, 'kept')))
}

async function expectNowhere(secret: string, page: Page, session: TestSession): Promise<void> {
  const search = createLeakSearch()
  search.add(secret)
  const places = [
    ...(await everythingKept(world.server)),
    JSON.stringify(world.model.requests),
    JSON.stringify(session.frames),
    await browserKeeps(page),
    JSON.stringify(await world.server.client.history(session.id, {})),
    JSON.stringify(await world.server.client.history(session.id, { kind: 'shell' })),
  ]
  for (const format of ExportFormat.options) {
    const path = `/v1/sessions/${session.id}/export?format=${format}`
    const headers = { authorization: `Bearer ${world.server.token}` }
    const answer = await fetch(world.server.url + path, { headers })
    places.push(await answer.text())
  }
  for (const place of places) expect(search.find(place)).toEqual([])
}

test('[SEC5] a password typed as soon as the program of an approved command asks is found nowhere but in the program', async () => {
  await writePrograms(world.server.workspace)
  const session = await world.server.session()
  const { page, composer, sees, say } = await visit(world.server, { session: session.id })
  page.setDefaultTimeout(15_000)
  const everKept = await watchKeeps(page)
  await sees(page.locator('.connection.is-live'))
  for (const { delay, sign } of [
    { delay: 0, sign: '' },
    { delay: 30, sign: '/' },
    { delay: 120, sign: '' },
    // A pause is long enough to ask for what could follow.
    { delay: 120, sign: '!' },
    { delay: 120, sign: '@' },
  ]) {
    const secret = sign + newSecret()
    const tag = `t${delay}${sign === '' ? '' : sign.charCodeAt(0)}`
    world.model.say(`I install it.\n\n<shell>./stty ${tag} 1 1</shell>`, `Installed ${tag}.`)
    await say('install it, please')
    await sees(page.locator('.ask-card .button.is-go:enabled'))
    await composer.focus()
    await page.keyboard.type('and then')
    await press(page, 'Alt+a', 'Enter')
    await page.getByText(`${tag}-1? `).first().waitFor()
    await page.keyboard.type(secret, { delay })
    await press(page, 'Enter')
    const field = page.locator('#secret:not([readonly])')
    // Enter may have been faster than the news that a secret is read; then the line waits, masked.
    await page.waitForFunction(
      (text) =>
        Boolean(document.querySelector<HTMLInputElement>('#secret:not([readonly])')?.value) ||
        document.body.innerText.includes(text),
      `${tag}-1=`,
    )
    if (await field.isVisible())
      await field.press('Enter', { timeout: 1_000 }).catch(() => undefined)
    await sees(`${tag}-1=${hashOf(secret)}`)
    await sees(`Installed ${tag}.`)
    await composer.waitFor()
    // The draft is back, and as it was.
    expect(await composer.inputValue()).toBe('and then')
    await expectNowhere(secret, page, session)
    expect(await everKept()).not.toContain(secret.slice(0, 12))
    await composer.fill('')
  }
})

test('[SEC6] behind a raw terminal a line that answers a password question is sent only where the person says', async () => {
  const session = await world.server.session()
  const { page, composer, sees, say, run } = await visit(world.server, { session: session.id })
  page.setDefaultTimeout(15_000)
  const secret = newSecret()
  // As `ssh` does: single keys, not shown here, and nobody can tell what is read at the other end.
  const ask = `stty raw -echo; printf "me@host's password: "; p=$(head -c 33); stty sane; echo; echo "$p" | sha256sum | cut -c1-12`
  await say(`!${ask}`)
  await sees(page.getByLabel('Output so far').getByText("me@host's password:"))
  await say(secret)
  await sees('looks like a question for a password')
  await page.getByRole('button', { name: 'Discard' }).click()
  await say(secret)
  await page.getByRole('button', { name: 'Put it back as a message' }).click()
  expect(await composer.inputValue()).toBe(secret)
  await composer.press('Enter')
  await page.getByRole('button', { name: 'Give it to the program' }).click()
  await sees(run('✓').locator('pre', { hasText: /[0-9a-f]{12}/ }))
  await composer.waitFor()
  await expectNowhere(secret, page, session)
})

/** A program that asks without end for what is not shown, and tells how long it was. */
const asking = 'while read -r -s -p "pass""word? " p; do echo; echo "${#p} letters"; done'

test('[SEC5] the masked field is one line for the program that asks: it comes again, empties with a stop, and goes with the program', async () => {
  const session = await world.server.session()
  const { page, composer, sees } = await visit(world.server, { session: session.id })
  page.setDefaultTimeout(15_000)
  const field = page.locator('#secret')
  await composer.fill('my draft')
  await session.send(`!${asking}`)
  await sees(field)
  // A second question is a second line.
  await page.keyboard.type('wrong')
  await press(page, 'Enter')
  await sees('5 letters')
  await expect.poll(() => field.inputValue()).toBe('')
  // The lines of a paste are one line, and Enter is the person's.
  await page.evaluate(() => navigator.clipboard.writeText('two\nlines\n'))
  await press(page, 'Control+v')
  expect(await field.inputValue()).toBe('two lines')
  await press(page, 'Enter')
  await sees('9 letters')
  // Half a line goes nowhere: not to the draft, and not to the next that asks.
  await expect.poll(() => field.inputValue()).toBe('')
  await page.keyboard.type('half of it')
  await session.interrupt('kill')
  await sees('The program no longer asks.')
  expect(await composer.count()).toBe(0)
  await session.send('!read -r -s -p "next""? " p; echo; echo "${#p} letters now"')
  await sees('bash asks for a secret')
  await expect.poll(() => field.inputValue()).toBe('')
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  // Stopping it, by a key or without, leaves nothing of what was typed.
  await page.keyboard.type('half again')
  await press(page, 'Escape')
  await sees(composer)
  await session.send('!read -r -s -p "last""? " p')
  await sees(field)
  await page.keyboard.type('half still')
  await page.getByRole('button', { name: 'Stop the program' }).click()
  await sees(composer)
  expect(await composer.inputValue()).toBe('my draft')
  expect(await browserKeeps(page)).not.toMatch(/half|two lines|wrong/)
})

test('[SEC5] a second Enter after the password does not send the draft', async () => {
  const session = await world.server.session()
  const { page, composer, sees } = await visit(world.server, { session: session.id })
  await composer.fill('my draft')
  await session.send('!read -r -s -p "pass""word? " p; echo; echo "${#p} letters"')
  await sees(page.locator('#secret'))
  await page.keyboard.type('s3cret')
  // The hand that repeats it, in the first frame in which the composer is there again.
  const repeated = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          const field = document.querySelector('#composer')
          if (!field) return
          observer.disconnect()
          const key = { key: 'Enter', bubbles: true, cancelable: true }
          resolve(void field.dispatchEvent(new KeyboardEvent('keydown', key)))
        })
        observer.observe(document.body, { subtree: true, childList: true })
      }),
  )
  await press(page, 'Enter')
  await repeated
  await sees('6 letters')
  expect(await composer.inputValue()).toBe('my draft')
  expect(session.all('message')).toEqual([])
})

test('[SEC5] what is typed in one of two tabs is not in the other, where the field goes when the program has read', async () => {
  const session = await world.server.session()
  const { page, composer, sees, tab } = await visit(world.server, { session: session.id })
  const other = await tab()
  await other.goto(page.url())
  await other.locator('.connection.is-live').waitFor()
  await session.send('!read -r -s -p "pass""word? " p; echo; echo "${#p} letters"')
  await sees(page.locator('#secret'))
  await other.locator('#secret').waitFor()
  await page.locator('#secret').fill('s3cret')
  expect(await other.locator('#secret').inputValue()).toBe('')
  await page.locator('#secret').press('Enter')
  await other.getByText('6 letters').first().waitFor()
  await other.locator('#composer').waitFor()
  await sees(composer)
})

test('[SEC5] a program that was typed in the terminal has its keys there, and a line of the composer is held for it', async () => {
  const session = await world.server.session()
  await session.run('true')
  const tab = await openTerminal(visit, world.server, { session: session.id })
  const { page, composer, sees } = tab
  page.setDefaultTimeout(15_000)
  const everKept = await watchKeeps(page)
  await tab.shows(/[$#]$/)
  await tab.focus()
  const secret = newSecret()
  await page.keyboard.type('read -r -s -p "typed""? " p; echo; echo "${#p} le""tters"')
  await press(page, 'Enter')
  await tab.shows(/typed\?$/)
  await session.until('run_start', 2)
  expect(await page.locator('#secret').count()).toBe(0)
  await composer.focus()
  await page.keyboard.type(secret)
  await press(page, 'Enter')
  await sees('It was not sent to the model')
  expect(await page.locator('#secret').inputValue()).toBe(secret)
  await page.locator('#secret').press('Enter')
  await sees(composer)
  await tab.shows(`${secret.length} letters`)
  await expectNowhere(secret, page, session)
  expect(await everKept()).not.toContain(secret.slice(0, 12))
})

test('[SEC5] a waiting prompt that is being changed stays as it is while a secret is read, and is saved afterwards', async () => {
  const session = await world.server.session()
  let finish = () => {}
  const ending = new Promise<void>((resolve) => (finish = resolve))
  world.model.say({ pieces: ['Working.'], ending }, 'Taken.')
  const { page, composer, sees, say } = await visit(world.server, { session: session.id })
  page.setDefaultTimeout(15_000)
  const everKept = await watchKeeps(page)
  await sees(page.locator('.connection.is-live'))
  await say('work')
  await sees('Working.')
  await say('and this')
  await page.locator('.queue').getByRole('button', { name: 'Edit' }).click()
  const line = page.getByLabel('Change what waits')
  await page.keyboard.type(', but la')
  await session.send('!read -r -s -p "pass""word? " p; echo; echo "${#p} letters"')
  await sees(page.locator('#secret'))
  await page.keyboard.type('ter')
  expect(await line.inputValue()).toBe('and this, but later')
  await press(page, 'Enter')
  await sees(/reads a secret, so this was not taken/)
  expect(await line.inputValue()).toBe('and this, but later')
  expect(await page.locator('#secret').inputValue()).toBe('')
  await page.locator('#secret').fill('s3cret')
  await page.locator('#secret').press('Enter')
  await sees('6 letters')
  await sees(composer)
  expect(await composer.inputValue()).toBe('')
  expect(await everKept()).not.toContain('but la')
  await line.press('Enter')
  await sees(page.locator('.queue').getByText('and this, but later'))
  finish()
  await sees('Taken.')
  expect(world.model.requests.at(-1)?.body).toContain('and this, but later')
})
