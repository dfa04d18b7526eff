import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Event } from '../../src/protocol/events/event.ts'
import type { Model, ModelRequest } from '../../src/server/model/model.ts'
import { createRequestMeter } from '../../src/server/session/measured-requests.ts'
import { createConversation } from '../../src/session/conversation/conversation.ts'
import { type Happening, nativeParts, simulate, unsigned } from '../support/simulate.ts'
import { allProviders } from './all-providers.ts'
import { startRefusing } from './refusing-server.ts'

/**
 * Logs as they were recorded, and the bodies that were sent for them. What has been recorded is never
 * written anew: a change that breaks this breaks the prompt caches of sessions that go on.
 */
const folder = join(process.cwd(), 'test/fixtures/requests')

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({
    file: `${provider.name}-${dialect}.json`,
    provider,
    dialect,
  })),
)

let server: Awaited<ReturnType<typeof startRefusing>>
beforeAll(async () => {
  server = await startRefusing()
})
afterAll(() => server.close())

test.each(cases)('[TR13] $file', async ({ file, provider, dialect }) => {
  const model = provider.model({ baseUrl: server.baseUrl, dialect })
  if (process.env['TANDEM_RECORD'] === file) await record(join(folder, file), model)
  const { log, bodies } = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
    log: unknown[]
    bodies: string[]
  }
  expect(
    await bodiesOf(
      log.map((event) => Event.parse(event)),
      model,
    ),
  ).toEqual(bodies)
})

/** The bodies of all requests of a log. */
async function bodiesOf(log: readonly Event[], model: Model): Promise<readonly string[]> {
  const conversation = createConversation()
  const meter = createRequestMeter()
  const bodies: string[] = []
  for (const event of log) {
    conversation.apply(event)
    if (event.type !== 'step_start') continue
    meter.measure(conversation)
    bodies.push(await bodyOf(model, meter.request()))
  }
  return bodies
}

async function bodyOf(model: Model, request: ModelRequest): Promise<string> {
  const { signal } = new AbortController()
  await expect(model.reply(request, { signal })[Symbol.asyncIterator]().next()).rejects.toThrow()
  return server.bodies.at(-1) ?? ''
}

/** A day in the life of a session: one of everything that has a frozen form. */
const day: readonly Happening[] = [
  { type: 'submit', text: '  hello \r\n\u2028 \u{1f469}\u200d\u{1f4bb}', as: 'text' },
  reply('first <shell>ls</shell>\n\nthen <shell timeout="60">make</shell>'),
  ...played(8, 'a\tb\n  c\n'),
  reply('done'),
  { type: 'submit', text: '!git status', as: 'auto' },
  ...played(3, 'clean'),
  { type: 'submit', text: '!!secret', as: 'auto' },
  ...played(3, 'hidden'),
  { type: 'submit', text: '!?make', as: 'auto' },
  ...played(3, 'failed'),
  reply('<shell>rm -rf x</shell> and <shell>pwd</shell>'),
  ...played(4, ''),
  { type: 'answer', pick: 0, outcome: 'deny', word: 'not this one' },
  ...played(2, ''),
  reply('broken <shell>ls'),
  ...played(3, ''),
  { type: 'abort' },
  ...played(2, 'half'),
  { type: 'shell-dies' },
  { type: 'submit', text: 'again', as: 'auto' },
  { type: 'crash', holderLives: false, text: 'so far' },
  { type: 'submit', text: 'still there?', as: 'auto' },
  reply('yes'),
]

function reply(text: string): Happening {
  return { type: 'effect', pick: 0, fate: 3, text }
}

function played(times: number, text: string): readonly Happening[] {
  return Array.from({ length: times }, () => ({ type: 'effect', pick: 0, fate: 3, text }))
}

async function record(path: string, model: Model): Promise<void> {
  const simulation = simulate(model.setup)
  for (const happening of day) {
    const effect = happening.type === 'effect' ? simulation.effect(happening.pick) : undefined
    if (happening.type !== 'effect' || effect?.type !== 'call-model')
      await simulation.happen(happening)
    else {
      const { text } = happening
      const native = nativeParts(text, effect.step).map(unsigned)
      await simulation.report({
        type: 'reply-ended',
        step: effect.step,
        parts: model.setup.dialect === 'tools' ? native : [{ type: 'text', text }],
        stop: 'done',
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        witness: { prefixBytes: 0, ok: true },
      })
    }
  }
  const { log } = simulation
  const bodies = await bodiesOf(log, model)
  await writeFile(path, `${JSON.stringify({ log, bodies }, null, 1)}\n`, { flag: 'wx' })
}
