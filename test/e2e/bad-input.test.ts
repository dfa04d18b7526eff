import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const refused = (code: string) => ({ fault: { kind: 'refused', refusal: { code } } })

test('[BAD1] what no shell could take is refused, and nothing is stored', async () => {
  const session = await server.session()
  await session.run('true')
  const { head } = await session.view()
  await expect(session.send('!a\0b')).rejects.toMatchObject(refused('bad_command'))
  await expect(session.send(`!${'x'.repeat(300_000)}`)).rejects.toMatchObject(refused('too_large'))
  await expect(session.send('/nonsense')).rejects.toMatchObject(refused('unknown_command'))
  await expect(session.send('/help')).rejects.toMatchObject(refused('local_command'))
  expect((await session.send('!')).first).toBe(null)
  expect((await session.send('  ')).first).toBe(null)
  expect((await session.view()).head).toBe(head)
})

test('[BAD1] a workspace that is missing, relative or a file is refused with the reason', async () => {
  await expect(server.session({ workspace: '/no/such/folder' })).rejects.toMatchObject(
    refused('bad_workspace'),
  )
  await expect(server.session({ workspace: 'relative' })).rejects.toMatchObject(
    refused('bad_workspace'),
  )
  await expect(server.session({ workspace: '/etc/passwd' })).rejects.toMatchObject(
    refused('bad_workspace'),
  )
})

test('[BAD3] a folder that is gone under the shell gives a clear answer, and the shell goes on', async () => {
  const session = await server.session()
  const gone = join(server.workspace, 'gone')
  await mkdir(gone)
  await session.run('cd gone')
  await rm(gone, { recursive: true })
  expect((await session.run('cat missing')).status).toBe('error')
  expect((await session.run('cd ..; pwd')).content).toContain(`\n${server.workspace}\n`)
})

test('[BAD3] a shell whose folder is gone starts where it can, and tells where that is', async () => {
  const workspace = join(server.workspace, 'fleeting')
  await mkdir(workspace)
  const session = await server.session({ workspace })
  await rm(workspace, { recursive: true })
  const said = await session.run('pwd')
  expect(said.content).toMatch(/^\$ pwd\n\/.*\n\[exit 0/)
})

test('[BAD5] control characters and odd bytes in a command reach the shell as they are', async () => {
  const session = await server.session()
  const said = await session.run(`printf '%s' 'a\tb\x1b[0m\x01' | od -An -c`)
  expect(said.content).toContain('a  \\t   b 033   [   0   m 001')
})

test('[BAD5] output that is not UTF-8 is shown with replacement characters and loses nothing after it', async () => {
  const session = await server.session()
  const said = await session.run(`printf 'a\\xff\\xfeb\\xe2\\x82\\n'; echo after`)
  expect(said.content).toMatch(/a\ufffd+b\ufffd\nafter\n\[exit 0/)
})
