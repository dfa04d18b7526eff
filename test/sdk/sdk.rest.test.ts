import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { installSdks } from '../../scripts/test/sdks.mjs'
import { apiKey as anthropicKey } from '../models/anthropic-server.ts'
import { keyOf } from '../models/server-env.ts'
import { askOnce, type Read } from '../models/openai-read.ts'
import { geminiName, recordBodies, repliesOf, sdkCases } from './recorded.ts'

const run = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = installSdks()
  await copyFile(join(process.cwd(), 'test/sdk/read.mjs'), join(folder, 'read.mjs'))
}, 600_000)

/** The SDK's type of each wire's request, and the module that has it. */
const types: Readonly<Record<string, readonly [type: string, module: string]>> = {
  anthropic: ['MessageCreateParamsStreaming', '@anthropic-ai/sdk/resources/messages'],
  gemini: ['GenerateContentParameters', '@google/genai'],
  'openai-chat': ['ChatCompletionCreateParamsStreaming', 'openai/resources/chat/completions'],
  'openai-chat-strict': [
    'ChatCompletionCreateParamsStreaming',
    'openai/resources/chat/completions',
  ],
  'openai-responses': ['ResponseCreateParamsStreaming', 'openai/resources/responses/responses'],
}

/**
 * A body as its SDK's type has it. Google's SDK names the parts of a request otherwise than its protocol does. Two things
 * depart from OpenAI's types on purpose: DeepSeek's and llama.cpp's `reasoning_content`, which OpenAI's own models
 * never get, and the ids and states of items, which mean nothing where nothing is stored.
 */
function parameters(wire: string, body: string): object {
  const value: Record<string, unknown> = JSON.parse(body)
  if (wire === 'gemini') {
    const { contents, generationConfig = {}, ...config } = value
    return { model: geminiName, contents, config: { ...config, ...(generationConfig as object) } }
  }
  if (Array.isArray(value['input']))
    return { ...value, input: value['input'].map((item: { type: string }) => identified(item)) }
  if (wire.startsWith('openai-chat') && Array.isArray(value['messages']))
    return { ...value, messages: value['messages'].map(withoutReasoning) }
  return value
}

function identified(item: { type: string; role?: string }): object {
  if (item.role === 'assistant') return { id: 'msg_1', status: 'completed', ...item }
  return item.type === 'reasoning' ? { id: 'rs_1', ...item } : item
}

function withoutReasoning(message: Record<string, unknown>): object {
  const { reasoning_content: _, ...rest } = message
  return rest
}

/** The errors of `tsc` in the bodies of all wires as requests of their SDKs: file by file. */
async function typeErrors(files: ReadonlyMap<string, string>): Promise<string> {
  const checked = join(folder, 'checked')
  await rm(checked, { recursive: true, force: true })
  await mkdir(checked)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: [],
    skipLibCheck: true,
  }
  const config = { compilerOptions, files: [...files.keys()] }
  await writeFile(join(checked, 'package.json'), '{"type":"module"}')
  await writeFile(join(checked, 'tsconfig.json'), JSON.stringify(config))
  for (const [name, text] of files) await writeFile(join(checked, name), text)
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [tsc, '-p', checked]).then(
    () => '',
    (error: { stdout?: string }) => error.stdout || JSON.stringify(error),
  )
}

function fileOf(wire: string, values: readonly object[]): string {
  const [type, module] = types[wire]!
  const lines = values.map((one, n) => `export const body${n}: ${type} = ${JSON.stringify(one)}`)
  return `import type { ${type} } from '${module}'\n${lines.join('\n')}\n`
}

test('[MODEL36] the requests of a session are of the types that the providers’ SDKs have for them', async () => {
  const files = new Map<string, string>()
  for (const { name, provider, dialect } of sdkCases) {
    const bodies = await recordBodies(provider, dialect)
    expect(bodies).toHaveLength(4)
    const values = bodies.map((body) => parameters(provider.name, body))
    files.set(`${name.replaceAll(/\W+/g, '-')}.ts`, fileOf(provider.name, values))
  }
  expect(await typeErrors(files)).toBe('')
  // A body that no SDK would let through is found out.
  const wrong = fileOf('openai-chat', [
    { model: 'x', stream: true, messages: [{ role: 'nobody' }] },
  ])
  expect(await typeErrors(new Map([['wrong.ts', wrong]]))).toContain('nobody')
})

test.each(sdkCases)(
  '[MODEL36] $name: the SDK sends the same request, and reads the scripted server as we do',
  async ({ provider, dialect }) => {
    for (const reply of repliesOf(dialect)) {
      const server = await provider.start()
      server.say(reply)
      const ours = await askOnce(provider.model({ baseUrl: server.baseUrl, dialect }))
      const body: unknown = JSON.parse(server.requests[0]?.body ?? '')
      const ids = ours.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))
      // The same ids again, where the server made them up.
      server.say({ ...reply, parts: reply.parts.map((part) => withId(part, ids)) })
      const theirs = await readBySdk(provider.name, { baseUrl: server.baseUrl, body })
      expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual(body)
      expect(theirs).toMatchObject(asRead(ours, provider.name))
      await server.close()
    }
  },
)

type Scripted = ReturnType<typeof repliesOf>[number]['parts'][number]

function withId(part: Scripted, ids: string[]): Scripted {
  if (part.type !== 'call') return part
  const id = ids.shift()
  return id ? { ...part, id } : part
}

interface BySdk {
  text: string
  calls: { id?: string; name: string; args: string }[]
  stop: string
}

async function readBySdk(wire: string, asked: { baseUrl: string; body: unknown }): Promise<object> {
  const sdk = wire === 'openai-chat-strict' ? 'openai-chat' : wire
  const apiKey = wire === 'anthropic' ? anthropicKey : keyOf(sdk)
  const order = JSON.stringify({ ...asked, sdk, apiKey, name: geminiName })
  const { stdout } = await run(process.execPath, [join(folder, 'read.mjs'), order])
  const read = JSON.parse(stdout) as BySdk
  const calls = read.calls.map((call) => ({ ...call, args: JSON.parse(call.args) as unknown }))
  return { ...read, calls, stop: stops.get(read.stop) ?? read.stop }
}

const stops: ReadonlyMap<string, string> = new Map([
  ['stop', 'done'],
  ['tool_calls', 'done'],
  ['completed', 'done'],
  ['end_turn', 'done'],
  ['tool_use', 'done'],
  ['STOP', 'done'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['MAX_TOKENS', 'length'],
])

/** A reply that we read, as the SDKs tell it. */
function asRead({ parts, end, error }: Read, wire: string): object {
  expect(error).toBeNull()
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const calls = parts.flatMap((part) =>
    part.type === 'call'
      ? [
          {
            ...(wire !== 'gemini' && { id: part.id }),
            name: part.name,
            args: JSON.parse(part.args),
          },
        ]
      : [],
  )
  const { cacheWrite: _, ...usage } = end?.usage ?? { cacheWrite: 0 }
  return { text, calls, stop: end?.stop, usage }
}
