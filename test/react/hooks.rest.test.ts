// takes: 35 s
import { beforeEach, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { useWorld } from '../support/world.ts'
import { useBrowser } from '../web/support/browser.ts'
import { useExample, watchConnections } from './example.ts'

const world = useWorld()
const visit = useBrowser()
const address = useExample(world)

beforeEach(() => world.model.hush())

/** The example in a browser, with what a person does there. */
async function openExample() {
  const { tab } = await visit(world.server)
  const page = await tab()
  const connections = watchConnections(page)
  await page.goto(address())
  const field = page.getByLabel('Message')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  return {
    page,
    connections,
    button,
    async say(text: string) {
      await field.fill(text)
      await button('Send').click()
    },
    message: (role: string, text: string | RegExp) =>
      page.locator(`.chat li.${role}`, { hasText: text }),
    messages: () =>
      page
        .locator('.chat li')
        .evaluateAll((items) => items.map((item) => [item.className, item.textContent])),
    status: (status: string) => page.locator(`.chat[data-status="${status}"]`).waitFor(),
  }
}

const sessions = async () =>
  (await world.server.client.call(routes.sessions, {})).sessions.map(({ preview }) => preview)

test('[REACT1] a chat of one’s own streams replies, runs commands and asks, with the words as they were said', async () => {
  let goOn = () => {}
  const pause = new Promise<void>((resolve) => (goOn = resolve))
  const { say, message, messages, status, button, page } = await openExample()
  await status('ready')
  world.model.say({ pieces: ['One ', 'word '], ending: pause })
  await say('talk')
  await message('assistant', 'One word').waitFor()
  await status('streaming')
  goOn()
  await status('ready')
  world.model.say('See: <shell>true && echo > made</shell>', 'There.')
  await say('make a file')
  const ask = page.getByRole('group', { name: 'The model asks' })
  await ask.getByText('true && echo > made').waitFor()
  await ask.getByText('Changes files here').waitFor()
  await ask.getByText(/made: echo > made/).waitFor()
  await status('streaming')
  await button('Run').click()
  await message('assistant', 'There.').waitFor()
  await status('ready')
  expect(await messages()).toEqual([
    ['user', 'talk'],
    ['assistant', 'One word '],
    ['user', 'make a file'],
    ['assistant', 'See: <shell>true && echo > made</shell>'],
    ['tool', expect.stringMatching(/^\$ true && echo > made\n[\s\S]*exit 0/)],
    ['assistant', 'There.'],
  ])
})

test('[REACT1] stop ends the turn, or the command that runs without one, and what came is kept', async () => {
  const { say, message, status, button } = await openExample()
  world.model.say({ pieces: ['Still ', 'talking'], ending: new Promise(() => {}) })
  await say('talk for ever')
  await message('assistant', 'Still talking').waitFor()
  await button('Stop').click()
  await status('ready')
  await message('assistant', 'Still talking').waitFor()
  await say('!echo be""gun; sleep 1000')
  await message('tool', 'begun').waitFor()
  await status('streaming')
  await button('Stop').click()
  await status('ready')
  await message('tool', /begun[\s\S]*130/).waitFor()
})

test('[REACT1] clear begins anew with the next message, and the old session stays listed', async () => {
  const { say, message, messages, status, button } = await openExample()
  world.model.say('The first.', 'The second.')
  await say('about the first thing')
  await message('assistant', 'The first.').waitFor()
  await status('ready')
  const before = await sessions()
  await button('Clear').click()
  expect(await messages()).toEqual([])
  await say('about the second thing')
  await message('assistant', 'The second.').waitFor()
  expect(await messages()).toEqual([
    ['user', 'about the second thing'],
    ['assistant', 'The second.'],
  ])
  expect(await sessions()).toEqual(['about the second thing', ...before])
  expect(world.model.requests.at(-1)?.body).not.toContain('about the first thing')
})

test('[REACT4] a terminal of one’s own shows the shell, takes keys, and is the one that commands run in', async () => {
  const { say, message, page, button } = await openExample()
  await say('!export WHO=ada')
  // Over: what is typed into a command that runs would be its input.
  await message('tool', /export WHO=ada[\s\S]*exit 0/).waitFor()
  await button('Terminal').click()
  await page.locator('[data-link="live"]').waitFor()
  await page.locator('.xterm-screen').click()
  await page.keyboard.type('echo "typed by $WHO"\n')
  await page.locator('.xterm-rows > div', { hasText: /^typed by ada/ }).waitFor()
  await message('tool', '$ echo "typed by $WHO"').waitFor()
})

test('[REACT4] what is unmounted leaves no connection open', async () => {
  const { say, message, button, page, connections, status } = await openExample()
  await say('!echo here')
  await message('tool', 'here').waitFor()
  await button('Terminal').click()
  await page.locator('[data-link="live"]').waitFor()
  expect(connections.open()).toBe(2)
  await button('Terminal').click()
  await connections.until(1)
  await button('Leave').click()
  await connections.until(0)
  await button('Come back').click()
  await status('ready')
  expect(connections.open()).toBe(0)
})

test('[REACT1] what is not sent is said and given back', async () => {
  const { say, page, status } = await openExample()
  await page.route('**/v1/sessions', (route) => route.fulfill({ status: 500, body: 'no' }))
  await say('hello')
  await status('error')
  await page.getByRole('alert').getByText('the server answered 500').waitFor()
  expect(await page.getByLabel('Message').inputValue()).toBe('hello')
})

test('[MOVE18] what is said after a clear goes on in the terminal from before', async () => {
  const { say, message, button } = await openExample()
  await say('!KEPT=yes; cd /tmp')
  await message('tool', /cd \/tmp[\s\S]*exit 0/).waitFor()
  await button('Clear').click()
  await say('!echo "$KEPT in $PWD"')
  await message('tool', /yes in \/tmp/).waitFor()
})

test('[SEC6] a text that may answer a password question is sent only after the person said that it is none', async () => {
  const { say, message, page } = await openExample()
  await say(`!stty raw -echo; printf '%s' "me@host's pass""word: "; head -c 1; stty sane`)
  await message('tool', "me@host's password:").waitFor()
  const field = page.getByLabel('Message')
  const add = async (text: string) => {
    await field.fill(text)
    await field.press('Enter')
  }
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void (asked.length === 1 ? dialog.dismiss() : dialog.accept())
  })
  const before = world.model.requests.length
  await add('hunter2hunter2')
  await page.getByText('looks like a question for a password').waitFor()
  expect(world.model.requests.length).toBe(before)
  world.model.say('It is up.')
  await add('is it up?')
  await message('assistant', 'It is up.').waitFor()
  expect(asked).toEqual([
    expect.stringContaining("“me@host's password:”"),
    expect.stringContaining("“me@host's password:”"),
  ])
  expect(JSON.stringify(world.model.requests)).not.toContain('hunter2')
})
