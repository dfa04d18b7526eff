import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Dialect } from '../../src/protocol/events/epoch.ts'
import type { AgentMessage } from '../../src/protocol/http/agent-route.ts'
import { allProviders } from '../models/all-providers.ts'
import type { Provider, ProviderServer, ScriptedReply } from '../models/provider.ts'
import { serverOptions } from '../models/server-env.ts'
import { startServer, type TestServer } from '../support/server.ts'
import {
  callAgent,
  keepsJoined,
  keepsMessages,
  keepsResults,
  type Keeping,
} from './agent-client.ts'

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({ name: `${provider.name}, ${dialect}`, provider, dialect })),
)

/** A step of the model’s: commands that run, fail, move, print odd things or are refused; or nothing. */
const step = fc.array(
  fc.constantFrom('echo a', 'false', 'cd /', 'printf "x\\n\\n[y]"', 'true', 'rm -rf z', 'exit 3'),
  { minLength: 1, maxLength: 3 },
)
const turn = fc.record({
  steps: fc.array(step, { maxLength: 2 }),
  last: fc.constantFrom('done', 'two\n\nparts', ''),
  thinks: fc.boolean(),
})

function replyOf(commands: readonly string[], dialect: Dialect, thinks: boolean): ScriptedReply {
  const thought = thinks && dialect === 'tools' ? [{ type: 'thinking', text: 'hm' } as const] : []
  if (dialect === 'tags') {
    const text = commands.map((command) => `so <shell>${command}</shell>`).join('\n')
    return { parts: [{ type: 'text', text }] }
  }
  const calls = commands.map((command) => {
    const args = `{ "command" : ${JSON.stringify(command)} }`
    return { type: 'call', name: 'terminal_execute', args } as const
  })
  return { parts: [...thought, ...calls] }
}

interface Walk {
  provider: Provider
  dialect: Dialect
  model: ProviderServer
  server: TestServer
}

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never

/** A client that keeps the history, and asks again and again. */
async function talk(walk: Walk, turns: readonly Turn[], keep: Keeping): Promise<void> {
  const { provider, dialect, model, server } = walk
  const from = model.requests.length
  const history: AgentMessage[] = []
  for (const [index, { steps, last, thinks }] of turns.entries()) {
    model.hush()
    model.say(...steps.map((commands) => replyOf(commands, dialect, thinks)), last)
    history.push({ role: 'user', content: `prompt ${index}` })
    const lines = await callAgent(server, { messages: history, workspace: server.workspace })
    expect(lines.at(-1)).toEqual({ type: 'done' })
    history.push(...keep(lines))
  }
  const all = model.requests.slice(from).map(({ body }) => provider.items(body))
  expect(all.length).toBeGreaterThanOrEqual(turns.length)
  all.forEach((items, index) => {
    const before = all[index - 1] ?? []
    expect(items.slice(0, before.length)).toEqual(before)
  })
}

describe.each(cases)('$name', ({ provider, dialect }) => {
  const clients: readonly Keeping[] =
    dialect === 'tags' ? [keepsMessages, keepsResults, keepsJoined] : [keepsMessages]

  test('[HTTP72] whoever sends back what was streamed, and a prompt, has requests that extend each other', async () => {
    const model = await provider.start()
    onTestFinished(() => model.close())
    const server = await startServer(serverOptions(provider, { baseUrl: model.baseUrl, dialect }))
    onTestFinished(() => server.close())
    const series = fc.array(turn, { minLength: 2, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(series, fc.constantFrom(...clients), (turns, keep) =>
        talk({ provider, dialect, model, server }, turns, keep),
      ),
      { numRuns: dialect === 'tags' ? 6 : 3 },
    )
  }, 120_000)
})
