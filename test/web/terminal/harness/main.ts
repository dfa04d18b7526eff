import { createElement, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { connect } from '../../../../src/client/connect.ts'
import { createFeed } from '../../../../src/client/feed.ts'
import { createHistory } from '../../../../src/client/history.ts'
import { createSocket, ticketFrom } from '../../../../src/client/socket.ts'
import { routes } from '../../../../src/protocol/routes.ts'
import { Replay } from '../../../../src/web/terminal/replay/replay.tsx'
import { TerminalPanel } from '../../../../src/web/terminal/terminal-panel.tsx'

/** A page with nothing but the terminal of one session: `#token=…&session=…&theme=…&replay=…`. */
const given = new URLSearchParams(location.hash.slice(1))
const token = given.get('token') ?? ''
const session = given.get('session') ?? ''
const theme = given.get('theme') === 'light' ? 'light' : 'dark'

document.documentElement.dataset['theme'] = theme

const client = connect({
  url: location.origin,
  token,
  fetch: (input, init) => fetch(input, init),
  name: 'web',
  newKey: () => crypto.randomUUID(),
})
const socket = createSocket({ url: location.origin, ticket: ticketFrom(client) })
const feed = createFeed(socket, { session, history: createHistory(client, session) })
const params = { id: session }
const actions = {
  abort: async () => void (await client.call(routes.abort, { params, body: {} })),
  interrupt: async (signal: 'int' | 'term' | 'kill' | 'restart') =>
    void (await client.call(routes.interrupt, { params, body: { signal } })),
  drive: async (driver: 'person' | 'model') =>
    void (await client.call(routes.driver, { params, body: { driver } })),
}

function Page() {
  const { view, link } = useSyncExternalStore(feed.subscribe, feed.getSnapshot)
  document.documentElement.dataset['link'] = link.phase
  const onLeave = () => document.querySelector<HTMLElement>('#elsewhere')?.focus()
  return createElement(
    'div',
    { style: { display: 'flex', flexDirection: 'column', height: '100%' } },
    createElement('button', { id: 'elsewhere', type: 'button' }, 'elsewhere'),
    createElement(
      'div',
      { style: { flex: 1, minHeight: 0 } },
      createElement(TerminalPanel, { session, socket, actions, view, theme, onLeave }),
    ),
  )
}

function Replaying() {
  return createElement(Replay, {
    session,
    client,
    theme,
    onTime: (at: number) => (document.documentElement.dataset['at'] = String(at)),
    onClose: () => (document.documentElement.dataset['closed'] = 'yes'),
  })
}

const root = document.querySelector('#root')
if (root) createRoot(root).render(createElement(given.has('replay') ? Replaying : Page))
