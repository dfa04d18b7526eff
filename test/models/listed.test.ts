import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { askProvider } from '../../src/server/model/list/ask-provider.ts'
import { createModels } from '../../src/server/model/models.ts'

/** The names that are taken from this list of models. */
async function listed(adapter: string, answer: object): Promise<readonly string[]> {
  const server = createServer((_, response) => void response.end(JSON.stringify(answer)))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const { models, problem } = await askProvider({ adapter, baseUrl, apiKey: 'k' })
  expect(problem).toBe(null)
  return models.map(({ name }) => name)
}

const ids = (...names: readonly string[]) => ({ data: names.map((id) => ({ id })) })

test('[MODEL92] of a provider’s models those that chat are listed, and no others', async () => {
  const chats = [
    'gpt-5.2',
    'gpt-4o',
    'gpt-4o-mini-2024-07-18',
    'chatgpt-4o-latest',
    'o4-mini',
    'llama3.2:latest',
    'qwen3-vl:8b',
    'mistral-large-latest',
    'deepseek-chat',
    'org/my-embedded-linux-coder',
  ]
  const others = [
    'text-embedding-3-large',
    'nomic-embed-text:latest',
    'bge-reranker-v2',
    'whisper-1',
    'tts-1-hd',
    'gpt-4o-mini-tts',
    'gpt-4o-transcribe',
    'gpt-4o-audio-preview',
    'gpt-realtime-mini',
    'gpt-image-1',
    'dall-e-3',
    'sora-2-pro',
    'omni-moderation-latest',
    'babbage-002',
    'davinci-002',
    'gpt-3.5-turbo-instruct',
    'mistral-ocr-latest',
  ]
  expect(await listed('openai-chat', ids(...others, ...chats))).toEqual(chats)
})

test('[MODEL92] what a list says of a model counts', async () => {
  const data = [
    { id: 'codestral-latest', capabilities: { completion_chat: true } },
    { id: 'something-else', capabilities: { completion_chat: false } },
    { id: 'plain', capabilities: null },
  ]
  expect(await listed('openai-chat', { data })).toEqual(['codestral-latest', 'plain'])
  const model = (name: string, ...supportedGenerationMethods: readonly string[]) => ({
    name: `models/${name}`,
    supportedGenerationMethods,
  })
  const models = [
    model('gemini-3-pro-preview', 'generateContent'),
    model('gemini-2.5-flash-image', 'generateContent'),
    model('gemini-2.5-pro-preview-tts', 'generateContent'),
    model('gemini-embedding-001', 'embedContent'),
  ]
  expect(await listed('gemini', { models })).toEqual(['gemini-3-pro-preview'])
})

test.each([
  ['gpt-5.2', 'tags'],
  ['gpt-6', 'tags'],
  ['o4-mini', 'tags'],
  ['gpt-4o', 'tools'],
  ['gpt-4.1-mini', 'tools'],
  ['gpt-3.5-turbo', 'tools'],
])('[MODEL92] OpenAI’s %s speaks %s in chat completions', async (name, dialect) => {
  const env = { OPENAI_API_KEY: 'k' }
  const settings = { model: 'demo/offline', baseUrl: null, strict: false, env }
  const models = await createModels({ ...settings, dialect: null })
  if (!models.ok) throw new Error(models.error)
  const picked = models.value.pick(`openai-chat/${name}`)
  expect(picked).toMatchObject({ value: { dialect } })
  expect(models.value.pick(`openai/${name}`)).toMatchObject({ value: { dialect: 'tools' } })
  const told = await createModels({ ...settings, dialect: 'tools' })
  if (!told.ok) throw new Error(told.error)
  expect(told.value.pick(`openai-chat/${name}`)).toMatchObject({ value: { dialect: 'tools' } })
})
