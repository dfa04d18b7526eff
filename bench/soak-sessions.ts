import { setTimeout as delay } from 'node:timers/promises'
import { routes } from '../src/protocol/http/routes.ts'
import { startScriptedModel } from '../test/support/scripted-model.ts'
import { startServer, type TestServer } from '../test/support/server.ts'
import { tempFolder } from '../test/support/temp.ts'
import { prepareInsight } from './inside.ts'
import { rss } from './rss.ts'
import { times } from './stats.ts'

/** What all of them may cost, beside a tenth of them. */
const mostTimes = 1.1
/** Fewer than the server allows. */
const atOnce = 3

/** Thousands of sessions, used once each: none of them stays in memory. False if they do. */
export async function soakSessions(count: number): Promise<boolean> {
  const agents = await grows('stateless calls', { count, use: callAgent })
  const opened = await grows('opened sessions', { count, use: openSession })
  return agents <= mostTimes && opened <= mostTimes
}

interface Soak {
  count: number
  use(server: TestServer): Promise<unknown>
}

/** How much larger the server is after all than after a tenth. */
async function grows(what: string, { count, use }: Soak): Promise<number> {
  const temp = await tempFolder()
  const insight = await prepareInsight(temp.path)
  const model = await startScriptedModel({ otherwise: () => 'Done.' })
  const server = await startServer({
    env: { ...insight.env, TANDEM_BASE_URL: model.baseUrl },
    // Ten minutes of it, in a second.
    config: { sessionIdleMinutes: 1 / 60 },
  })
  const pid = server.process.pid ?? 0

  async function useUpTo(from: number, to: number) {
    let next = from
    const users = Array.from({ length: atOnce }, async () => {
      for (; next < to; next += 1) await use(server)
    })
    await Promise.all(users)
    while ((await server.client.call(routes.health, {})).sessions > 0) await delay(100)
    const { liveBytes } = await insight.look(pid)
    return { resident: await rss(pid), live: liveBytes }
  }

  const early = await useUpTo(0, Math.ceil(count / 10))
  const late = await useUpTo(Math.ceil(count / 10), count)
  const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MB`
  console.log(
    `${count} ${what}: ${megabytes(late.resident)} resident, ${times(late.resident / early.resident)} of a tenth of them (${megabytes(early.resident)}); wanted: ${mostTimes} at most; live objects ${megabytes(late.live)}, ${times(late.live / early.live)}`,
  )
  await server.close()
  await model.close()
  await temp.remove()
  return late.resident / early.resident
}

async function callAgent({ url, token }: TestServer): Promise<void> {
  const response = await fetch(`${url}/api/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'go' }] }),
  })
  if (!(await response.text()).includes('"done"')) throw new Error('the turn did not end')
}

async function openSession(server: TestServer): Promise<void> {
  const { call } = server.client
  const { id } = await call(routes.createSession, { body: { workspace: server.workspace } })
  await call(routes.session, { params: { id } })
  await call(routes.commands, { params: { id } })
}
