import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands as registry } from '../../src/session/commands/registry.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
  // The person's own, which needs no trust.
  const home = join(server.workspace, '..')
  const skill = join(home, '.agents', 'skills', 'greeting')
  await mkdir(skill, { recursive: true })
  await writeFile(
    join(skill, 'SKILL.md'),
    '---\nname: greeting\ndescription: How to greet people.\n---\nSay hello.\n',
  )
})
afterAll(() => server.close())

test('[COMP2] the registry is data: every command with its arguments, local ones and skills among them', async () => {
  const { id } = await server.session()
  const commands = await server.client.commands(id)
  const names = commands.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(registry.map(({ name }) => name)))
  expect(new Set(names).size).toBe(names.length)
  expect(commands.find(({ name }) => name === 'shell')).toMatchObject({
    source: 'session',
    reachesModel: true,
    usage: expect.stringContaining('--repo'),
    arguments: [
      { name: 'repo', kind: 'repo', place: 'flag', isOptional: true },
      { name: 'cwd', kind: 'folder', place: 'flag', isOptional: true },
      { name: 'timeout', kind: 'time', place: 'flag', isOptional: true },
      { name: 'command', kind: 'shell', place: 'rest', isOptional: false },
    ],
  })
  const local = commands.filter(({ source }) => source === 'local').map(({ name }) => name)
  expect(local).toEqual(['help', 'clear', 'theme', 'quit', 'bash'])
  expect(commands.find(({ name }) => name === 'greeting')).toMatchObject({
    source: 'skill',
    summary: 'How to greet people.',
  })
  const found = await server.client.complete(id, { text: '/gree', cursor: 5 })
  expect(found.items).toEqual([
    { label: '/greeting', insert: '/greeting', kind: 'skill', detail: 'How to greet people.' },
  ])
  const argument = await server.client.complete(id, { text: '/skill gr', cursor: 9 })
  expect(argument.items.map(({ insert }) => insert)).toEqual(['greeting'])
})
