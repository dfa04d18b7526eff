import { bearer } from './wire/access.ts'
import { expect, onTestFinished, test } from 'vitest'
import { json, startServer } from '../../test/client/session-server.ts'
import { connect } from './wire/connect.ts'

const id = `sh-${'0'.repeat(36)}`

test('[REST10] runShell asks again with the same key when its answer got lost, and getShellResult reads how it stands', async () => {
  const accepted = { id, status: 'running', command: 'ls' }
  const done = { id, status: 'done', exit_code: 0, stdout: 'a\n', stderr: '', duration_ms: 7 }
  const server = await startServer(({ method }, response) => {
    if (method === 'GET') json(response, 200, done)
    else if (server.seen.length === 1) response.destroy()
    else json(response, 202, accepted)
  })
  onTestFinished(server.close)
  let keys = 0
  const client = connect({
    url: server.url,
    access: bearer('t'),
    fetch,
    newKey: () => `key-${(keys += 1)}`,
    wait: async () => {},
  })
  const order = { command: 'ls', repo: 'shop' }
  expect(await client.runShell('default', order)).toEqual(accepted)
  expect(await client.getShellResult('default', id)).toEqual(done)
  const post = { method: 'POST', path: '/teams/default/shell', body: { ...order, key: 'key-1' } }
  expect(server.seen.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    post,
    post,
    { method: 'GET', path: `/teams/default/shell/${id}`, body: undefined },
  ])
})
