// needs: root
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { trustFolder } from '../../src/client/server.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { createProposals } from '../support/proposals.ts'
import { tempFolder } from '../support/temp.ts'
import { startWorld } from '../support/world.ts'

/**
 * A server that sees another `/etc`, by a mount that no other process has: the product knows one path, and neither a variable
 * nor a setting leads elsewhere.
 */
async function governed() {
  const temp = await tempFolder()
  const etc = join(temp.path, 'etc')
  cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true })
  const folder = join(etc, 'tandem')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const file = join(folder, 'policy.json')
  const script = 'mount --bind "$1" /etc && shift && exec "$@"'
  const world = await startWorld({
    config: { approval: 'guarded' },
    through: ['unshare', '-m', '--propagation', 'private', 'sh', '-c', script, 'sh', etc],
  })
  onTestFinished(async () => {
    await world.close()
    await temp.remove()
  })
  return {
    ...world,
    put(rules: unknown, mode = 0o644) {
      writeFileSync(file, typeof rules === 'string' ? rules : JSON.stringify(rules))
      chmodSync(file, mode)
    },
    remove: () => rmSync(file),
  }
}

test('[APP73] rules of an organisation count in a running server from the next command on, above a yes and a mode, and /status tells of them', async () => {
  const { server, model, put, remove } = await governed()
  const { client, workspace } = server
  await trustFolder(client, { folder: workspace, trusted: true })
  const session = await server.session()
  const { propose, done } = createProposals(model, session)
  const status = async () => {
    const { first } = await session.send('/status')
    return (await session.answerTo(first)).content
  }
  expect(await propose('ls')).toBeNull()
  expect(await status()).not.toContain('policy.json')

  put({
    deny: [{ program: 'ls', reason: 'lists are kept elsewhere' }],
    ask: [{ program: 'pwd', reason: 'places are private' }],
    maxMode: { mode: 'guarded', reason: 'people read changes' },
  })
  expect(await status()).toContain(
    '/etc/tandem/policy.json: 1 deny, 1 ask, at most Ask for changes',
  )
  expect(await propose('env ls -l')).toBeNull()
  const refused = session.all('tool_response').at(-1)
  expect(refused).toMatchObject({ status: 'denied' })
  expect(refused?.content).toContain('lists are kept elsewhere')
  const asked = await propose('pwd')
  expect(asked?.reasons.join()).toContain('places are private')
  expect(asked).not.toHaveProperty('offer')
  await session.answer('allow')
  await done()
  const wider = { params: { id: session.id }, body: { approval: 'trusted-session' } } as const
  await expect(client.call(routes.updateSession, wider)).rejects.toMatchObject({
    fault: {
      refusal: { code: 'bad_mode', message: expect.stringContaining('people read changes') },
    },
  })
  // What a person types is never gated.
  expect((await session.run('ls -d .')).content).toContain('[exit 0')

  put({ deny: [{ program: 'ls', reason: 'no' }] }, 0o666)
  expect(await status()).toContain('is ignored: others than root can write it')
  expect(await propose('ls')).toBeNull()
  expect(session.all('tool_response').at(-1)).toMatchObject({ status: 'done' })

  put('{')
  expect(await status()).toContain('Every command of a model asks')
  expect((await propose('ls'))?.command).toBe('ls')
  await session.answer('deny')
  await done()
  remove()
  expect(await propose('ls')).toBeNull()
})

test('[APP73] no variable of a person’s leads a server to other rules, or away from them', async () => {
  const { server, model, put } = await governed()
  put({ deny: [{ program: 'ls', reason: 'lists are kept elsewhere' }] })
  await server.restart({
    TANDEM_POLICY: '/dev/null',
    TANDEM_ORGANISATION: '/dev/null',
    TANDEM_ETC: '/nowhere',
    XDG_CONFIG_DIRS: '/nowhere',
  })
  const session = await server.session()
  model.say('<shell>ls</shell>', 'Done.')
  await session.send('go')
  await session.until('agent_end')
  expect(session.all('tool_response')).toMatchObject([{ status: 'denied' }])
})
