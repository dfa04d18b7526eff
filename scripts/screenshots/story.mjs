// What happens in the sessions that are shown.
import { setTimeout as delay } from 'node:timers/promises'

const looks = `Let me look around first.

<shell>ls</shell>
`
const reads = `Small and tidy. The prices are the interesting part:

<shell>cat price.js</shell>
`
const explains = `It is a small shop in plain JavaScript:

- **\`price.js\`** adds the tax: \`total(cents, rate)\`
- **\`cart.js\`** puts items into a cart, without changing the old one
- **\`test.js\`** checks three prices

One thing to watch: \`total\` *rounds down*, which is rarely what a tax office wants.`

const proposes = `Two prices are a cent short, because \`Math.floor\` cuts the tax instead of rounding it: 250 at 7 % is 17.5, so the total is 268.

\`\`\`js
export const total = (cents, rate) => cents + Math.round(cents * rate)
\`\`\`

I would change that one word:

<shell>sed -i 's/Math.floor/Math.round/' price.js && npm test</shell>
`

const patienceMs = 30_000

/** Seeds the sessions and returns their ids. */
export async function tell({ home, call }, model) {
  const create = async (title) =>
    (await call('POST', '/v1/sessions', { workspace: `${home}/shop`, ...(title && { title }) })).id
  const view = (id) => call('GET', `/v1/sessions/${id}`)

  /** There is no event stream here, so the session is asked until it has come so far. */
  async function until(id, isSo) {
    const end = performance.now() + patienceMs
    for (let session = await view(id); !isSo(session); session = await view(id)) {
      if (performance.now() > end) throw new Error(`the story is stuck: ${JSON.stringify(session)}`)
      await delay(50)
    }
  }
  async function say(id, text, status = 'idle') {
    await call('POST', `/v1/sessions/${id}/send`, { text })
    await until(id, (session) => session.status === status && session.open.calls.length <= 1)
  }

  await call('POST', '/teams/default/repos', { path: `${home}/shop`, name: 'shop' }).catch(() => {})
  await call('POST', '/teams/default/repos', { path: `${home}/api`, name: 'api' })

  const old = await create('Name the release')
  model.say('How about **Larch**? Short, and nobody else has it.')
  await say(old, 'We need a name for the next release, a tree perhaps.')

  const dev = await create('Dev server and checks')
  await say(dev, '/shell --repo shop git log --oneline')
  await say(dev, '/shell --repo api make test')
  await say(dev, '!node serve.js', 'running')
  // It is silent, and would be stopped for that.
  await call('POST', `/v1/sessions/${dev}/keep`, {})

  const main = await create('Rounding of prices')
  model.say(looks, reads, explains)
  await say(main, 'What is in this repo?', 'asking')
  const { open } = await view(main)
  await call('POST', `/v1/sessions/${main}/answer`, { ask: open.asks[0].ask, outcome: 'allow' })
  await until(main, ({ status }) => status === 'idle')
  await say(main, '!git status')
  await say(main, '!npm test --silent')
  model.say(proposes)
  await say(main, 'Why does the test fail?', 'asking')

  return { main, dev, empty: await create('') }
}
