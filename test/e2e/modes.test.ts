import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trustFolder } from '../../src/client/server.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { startWorld } from '../support/world.ts'

test('[APP72] in Never run nothing of the model runs, no shell starts for it, and it is told so; a person runs what they like', async () => {
  const world = await startWorld({ config: { approval: 'refuse' } })
  const { model, server } = world
  const session = await server.session()
  model.say('<shell>pwd</shell> and <shell>touch made</shell>', 'I see.')
  await session.send('go')
  await session.until('agent_end')
  expect(session.all('run_start')).toEqual([])
  expect(session.all('shell_start')).toEqual([])
  expect((await model.request(2)).body).toContain('Never run')
  await session.run('pwd')
  expect(session.all('run_start')).toHaveLength(1)
  await world.close()
})

test('[APP72] Trust this session is refused, or not begun with, where the folder is not trusted; in a trusted one files are written unasked', async () => {
  const world = await startWorld({ config: { approval: 'trusted-session' } })
  const { model, server } = world
  const { client, workspace } = server
  const untrusted = await client.call(routes.createSession, { body: { workspace } })
  expect(untrusted.approval).toBe('guarded')
  const wanted = { approval: 'trusted-session' } as const
  await expect(
    client.call(routes.createSession, { body: { workspace, ...wanted } }),
  ).rejects.toMatchObject({ fault: { refusal: { code: 'bad_mode' } } })
  const params = { id: untrusted.id }
  await expect(client.call(routes.updateSession, { params, body: wanted })).rejects.toMatchObject({
    fault: { refusal: { code: 'bad_mode' } },
  })
  await trustFolder(client, { folder: workspace, trusted: true })
  await client.call(routes.updateSession, { params, body: wanted })
  const session = await server.session()
  writeFileSync(join(workspace, 'note.md'), 'one\n')
  model.say('<shell>echo two > new.md && mkdir -p sub && cp new.md sub/</shell>', 'Done.')
  await session.send('go')
  await session.until('agent_end')
  expect(session.all('elicitation_request')).toEqual([])
  expect(readFileSync(join(workspace, 'sub', 'new.md'), 'utf8')).toBe('two\n')
  model.say('<shell>rm note.md</shell>')
  await session.send('go')
  expect(await session.until('elicitation_request')).toMatchObject({ grade: 'destroys' })
  await session.answer('deny')
  await session.until('agent_end', 2)
  await world.close()
})

test('[APP72] a declared task asks again after the model changed what it does, shows the change, and a yes is for that change', async () => {
  const world = await startWorld({ config: { approval: 'trusted-session' } })
  const { model, server } = world
  const { workspace } = server
  const script = (test: string) => `${JSON.stringify({ scripts: { test } })}\n`
  writeFileSync(join(workspace, 'package.json'), script('echo fine'))
  execFileSync('git', ['init', '-q', workspace])
  execFileSync('git', ['-C', workspace, 'add', '-A'])
  await trustFolder(server.client, { folder: workspace, trusted: true })
  const session = await server.session()
  let turns = 0
  const propose = async (command: string, asks: string | null) => {
    const before = session.all('elicitation_request').length
    model.say(`<shell>${command}</shell>`, 'Done.')
    await session.send('go')
    turns += 1
    if (asks !== null) {
      const { reasons } = await session.until('elicitation_request', before + 1)
      expect(reasons.join('; ')).toContain(asks)
      await session.answer('allow')
    }
    await session.until('agent_end', turns)
    expect(session.all('elicitation_request')).toHaveLength(before + (asks === null ? 0 : 1))
  }
  await propose('npm test --silent', null)
  await propose("sed -i 's/fine/other/' package.json", null)
  await propose('git status --short', null)
  await propose('npm test --silent', 'script test was “echo fine”, is “echo other”')
  await propose('npm test --silent', null)
  await propose("sed -i 's/other/more/' package.json && npm test", 'says what its task does')
  await propose('echo "export default {}" > vitest.config.ts', null)
  await propose('npm test --silent', 'vitest.config.ts is new')
  await world.close()
})
