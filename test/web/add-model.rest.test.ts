import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addProvider } from '../../src/client/server.ts'
import { openaiChat } from '../models/openai-chat.ts'
import { apiKey } from '../models/openai-server.ts'
import { startServer } from '../support/server.ts'
import { serious } from './support/axe.ts'
import { useBrowser } from './support/browser.ts'

const visit = useBrowser()

async function open() {
  const provider = await openaiChat.start()
  // As a newcomer has it: no configuration, and an empty data folder.
  const server = await startServer()
  onTestFinished(async () => {
    await server.close()
    await provider.close()
  })
  const session = await server.session()
  return { provider, server, session, ...(await visit(server, { session: session.id })) }
}

test('[WEB29] from an empty data folder to a model that answers: a key is typed in the page, and nothing is restarted', async () => {
  const { provider, server, session, page, sees, say, faults } = await open()
  const { pid } = server.process
  await sees('This is the built-in demo')
  await page.getByRole('button', { name: 'Add a model' }).click()
  const form = page.getByRole('dialog', { name: 'Add a model' })
  await form.getByLabel('Service').selectOption('server')
  await form.getByLabel('Name').fill('mine')
  await form.getByLabel('Address').fill(provider.baseUrl)
  await form.getByLabel('Model, if it does not list them').fill('gpt-4o')
  const key = form.getByLabel('Key, if it wants one')
  expect(await key.getAttribute('type')).toBe('password')
  await key.fill('wrong')
  await form.getByRole('button', { name: 'Try and add' }).click()
  await sees(form.getByRole('alert').filter({ hasText: 'Is the key right?' }))
  await key.fill(apiKey)
  await form.getByRole('button', { name: 'Try and add' }).click()
  await sees('mine works: mine/gpt-4o answers.')
  await form.getByRole('button', { name: 'Talk to it here' }).click()
  await sees('The next turn is with mine/gpt-4o.')
  provider.hush()
  provider.say('<shell>echo real-work</shell>', 'All is done.')
  await say('do something')
  await sees('All is done.')
  expect(server.process.pid).toBe(pid)
  expect(faults).toEqual([])
  // The strict wire, by default: the facts and the prompt are one message.
  const body = JSON.parse(provider.requests.at(-1)?.body ?? '{}') as {
    messages: { role: string }[]
  }
  expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(JSON.stringify(session.events)).not.toContain(apiKey)
  expect(await readFile(join(server.home, 'diagnostics.jsonl'), 'utf8')).not.toContain(apiKey)
  const { stdout } = await environmentOf(session)
  expect(stdout).not.toContain(apiKey)
})

async function environmentOf(session: Awaited<ReturnType<typeof open>>['session']) {
  const { content } = await session.run('env')
  return { stdout: content }
}

test('[WEB29] a session on the demo goes on with a model that was added, from the picker', async () => {
  const { provider, page, sees, say } = await open()
  await say('where are we?')
  await sees('That gave:')
  await page.getByTitle(/^Choose the model/).click()
  await page.getByRole('combobox', { name: 'Models' }).fill('add a model')
  await page.getByRole('option', { name: /^Add a model/ }).click()
  const form = page.getByRole('dialog', { name: 'Add a model' })
  await form.getByLabel('Service').selectOption('server')
  await form.getByLabel('Address').fill(provider.baseUrl)
  await form.getByLabel('Model, if it does not list them').fill('gpt-4o')
  await form.getByLabel('Key, if it wants one').fill(apiKey)
  await form.getByRole('button', { name: 'Try and add' }).click()
  await sees('server works: server/gpt-4o answers.')
  await form.getByRole('button', { name: 'Close' }).click()
  await say('hello')
  await sees('There is a language model now.')
  await say('/model server/gpt-4o')
  provider.hush()
  provider.say('Here I am.')
  await say('and now?')
  await sees('Here I am.')
})

test('[WEB29] a key that was typed for one service is not sent to another, and the dialog is sound', async () => {
  const { page, sees } = await open()
  await page.getByRole('button', { name: 'Add a model' }).click()
  const form = page.getByRole('dialog', { name: 'Add a model' })
  await form.getByLabel('Service').selectOption('anthropic')
  await form.getByLabel('Key').fill('sk-ant-of-a-person')
  expect(await serious(page)).toEqual([])
  await form.getByLabel('Service').selectOption('server')
  expect(await form.getByLabel('Key, if it wants one').inputValue()).toBe('')
  await form.getByLabel('Address').fill('http://127.0.0.1:9/v1')
  await form.getByRole('button', { name: 'Try and add' }).click()
  await sees(form.getByRole('alert'))
  expect(await serious(page)).toEqual([])
})

test('[WEB29] a model whose key was entered elsewhere is offered to a session on the demo, one press away', async () => {
  const { provider, server, page, sees, say } = await open()
  await say('where are we?')
  await sees('That gave:')
  const entry = { baseUrl: provider.baseUrl, key: apiKey, models: ['gpt-4o'] }
  await addProvider(server.client, 'mine', entry)
  await sees('There is a language model now: mine/gpt-4o.')
  expect(await serious(page)).toEqual([])
  await page.getByRole('button', { name: 'Talk to it here' }).click()
  await sees('The next turn is with mine/gpt-4o.')
  expect(await page.getByRole('button', { name: 'Talk to it here' }).count()).toBe(0)
  provider.hush()
  provider.say('Here I am.')
  await say('and now?')
  await sees('Here I am.')
})
