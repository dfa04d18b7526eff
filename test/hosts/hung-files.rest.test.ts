import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { tempFolder } from '../support/temp.ts'
import { startWorld, type World } from '../support/world.ts'
import { answered } from './support/answered.ts'

const name = 'hung-mount'
const preload = new URL('support/hung-mount.mjs', import.meta.url).href

let world: World & { close(): Promise<void> }
let temp: Awaited<ReturnType<typeof tempFolder>>
/** A folder on the file system that does not answer. */
let hung: string

beforeAll(async () => {
  temp = await tempFolder()
  const pipe = join(temp.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  hung = join(temp.path, name)
  mkdirSync(hung)
  const query = new URLSearchParams({ name, pipe })
  world = await startWorld({ env: { NODE_OPTIONS: `--import=${preload}?${query}` } })
})

afterAll(async () => {
  await world.close()
  await temp.remove()
})

test('[HOST10] with eight mentions on a file system that hangs Stop works, other sessions and the store answer, and the prompts go on as text', async () => {
  const { server, model } = world
  const other = await server.session()
  await writeFile(join(server.workspace, 'there.txt'), 'there it is')
  const sessions = await Promise.all(Array.from({ length: 8 }, () => server.session()))
  model.say(...Array.from({ length: 9 }, () => 'Seen.'))
  const sent = sessions.map((session) => session.send(`look at @${hung}/x.txt`))
  // The first is stopped before it begins.
  const stopped = expect(sent[0]).rejects.toThrow('It was stopped before it began.')
  const meanwhile = {
    stop: sessions[0]!.abort(),
    title: server.patch(sessions[1]!.id, { title: 'still named' }),
    list: server.client.call(routes.sessions, { query: {} }),
    run: other.run('echo other'),
    mention: other.send('look at @there.txt'),
  }
  for (const [what, answer] of Object.entries(meanwhile))
    expect([what, await answered(answer)]).toEqual([what, true])
  expect((await meanwhile.run).content).toContain('\nother\n')
  await other.until('tool_response', 2)
  expect(other.all('tool_response').some(({ content }) => content.includes('there it is'))).toBe(
    true,
  )
  for (const answer of sent) expect(await answered(answer)).toBe(true)
  await stopped
  for (const session of sessions.slice(1)) {
    await session.until('agent_end')
    expect(session.all('tool_request')).toEqual([])
  }
})

test('[HOST10] a workspace, a repo and a trusted folder on a file system that hangs are refused in words, in time', async () => {
  const { call } = world.server.client
  const made = call(routes.createSession, { body: { workspace: hung } })
  const added = call(routes.addRepo, { params: { team: 'default' }, body: { path: hung } })
  const trusted = call(routes.trust, { body: { folder: hung, trusted: true } })
  for (const answer of [made, added, trusted]) {
    expect(await answered(answer)).toBe(true)
    await expect(answer).rejects.toThrow('the file system does not answer')
  }
})

test('[HOST10] completion of a path on a file system that hangs offers nothing, in time', async () => {
  const { server } = world
  const session = await server.session()
  const text = `look at @${hung}/x`
  const query = { text, cursor: text.length, as: 'auto' } as const
  const offered = server.client.call(routes.complete, { params: { id: session.id }, query })
  expect(await answered(offered)).toBe(true)
  expect((await offered).items).toEqual([])
})

test('[HOST10] a shell is not started in a folder that does not answer: its command is refused in words, and the session goes on', async () => {
  const { server } = world
  const session = await server.session()
  await session.run(`mkdir -p ${name}-later && cd ${name}-later`)
  await session.send('!exit')
  await session.until('shell_exit')
  await session.send('!pwd')
  const said = await Promise.race([session.until('error'), session.until('tool_response', 3)])
  expect(JSON.stringify(said)).toContain('the file system does not answer')
  expect(await answered(session.view())).toBe(true)
})
