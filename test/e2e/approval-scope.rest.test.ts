// needs: zsh
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAudit } from '../../src/client/server.ts'
import type { AuditGap, AuditRow } from '../../src/protocol/events/audit.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { startWorld } from '../support/world.ts'

/** A session whose model proposes these commands in one reply. */
async function proposing(shell: string, ...commands: readonly string[]) {
  const world = await startWorld({ config: { approval: 'guarded', shell } })
  const { workspace } = world.server
  writeFileSync(join(workspace, 'a'), 'a\n')
  mkdirSync(join(workspace, 'sub'))
  const session = await world.server.session()
  world.model.say(commands.map((each) => `<shell>${each}</shell>`).join('\n'), 'Done.')
  await session.send('go')
  const ask = await session.until('elicitation_request')
  const ran = () =>
    session.all('run_start').flatMap(({ source, command }) => (source === 'model' ? [command] : []))
  return { world, workspace, session, ask, ran }
}

test.each(['bash', 'zsh'])(
  '[APP71] a yes for the session makes a rule of the one part that asks: in %s it asks no second time, until it is revoked',
  async (shell) => {
    const { world, session, ask, ran } = await proposing(shell, 'cp a b', 'ls && cp a b', 'cp a c')
    expect(ask).toMatchObject({ offer: { words: 'exactly `cp a b`, in this folder' } })
    await session.answer('allow', { scope: 'session' })
    expect(await session.until('elicitation_request', 2)).toMatchObject({ command: 'cp a c' })
    expect(ran()).toEqual(['cp a b', 'ls && cp a b'])
    const { rule } = await session.until('elicitation_response')
    const used = session.all('run_start').map(({ verdict }) => verdict?.rules)
    expect(used).toEqual([undefined, [rule?.id]])
    await session.answer('deny')
    await session.until('agent_end')
    await session.send(`/approval rm ${rule?.id}`)
    world.model.hush()
    world.model.say('<shell>cp a b</shell>')
    await session.send('again')
    expect(await session.until('elicitation_request', 3)).toMatchObject({ command: 'cp a b' })
    await world.close()
  },
)

test('[AUD1] the audit names the rule that a yes made, and every yes that was taken back, by whatever way', async () => {
  const { world, session } = await proposing('bash', 'cp a b', 'cp a c', 'cp a d')
  const { client } = world.server
  for (const [at, scope] of (['session', 'session', 'folder'] as const).entries()) {
    await session.until('elicitation_request', at + 1)
    await session.answer('allow', { scope })
    await session.until('elicitation_response', at + 1)
  }
  await session.until('agent_end')
  const rules = session.all('elicitation_response').map(({ rule }) => rule?.id ?? '')
  const [bySlash = '', byPatch = '', ofFolder = ''] = rules
  await session.send(`/approval rm ${bySlash}`)
  const params = { id: session.id }
  await client.call(routes.updateSession, { params, body: { revoke: byPatch } })
  const { first } = await session.send(`/approval rm ${ofFolder}`)
  await session.answerTo(first)
  const { first: unknown } = await session.send('/approval rm rule-00000000')
  await session.answerTo(unknown)
  const rows: (AuditRow | AuditGap)[] = []
  for await (const row of readAudit(client, { session: session.id })) rows.push(row)
  const told = (kind: string) => rows.filter((row) => row.kind === kind)
  expect(told('answered')).toMatchObject(rules.map((id) => ({ rules: [id], who: 'user' })))
  expect(told('ran')).toMatchObject([{ rules: [] }, { rules: [] }, { rules: [] }])
  const revoked = (id: string, name: string) => ({
    rules: [id],
    reasons: [`exactly \`cp a ${name}\`, in this folder`],
    who: 'user',
  })
  expect(told('revoked')).toMatchObject([
    revoked(bySlash, 'b'),
    revoked(byPatch, 'c'),
    { ...revoked(ofFolder, 'd'), who: expect.any(String) },
  ])
  await world.close()
})

test.each(['bash', 'zsh'])(
  '[APP71] a yes for the rest of the reply counts while %s is as it was shown, but for nothing hard to undo, and not after cd',
  async (shell) => {
    const { world, session, ran } = await proposing(
      shell,
      'cp a b',
      'cp a c',
      'rm c',
      'cd sub',
      'cp ../a d',
    )
    await session.answer('allow', { scope: 'reply' })
    expect(await session.until('elicitation_request', 2)).toMatchObject({
      command: 'rm c',
      grade: 'destroys',
    })
    expect(ran()).toEqual(['cp a b', 'cp a c'])
    await session.answer('allow')
    // The folder of the shell is part of its state.
    expect(await session.until('elicitation_request', 3)).toMatchObject({ command: 'cp ../a d' })
    expect(ran()).toEqual(['cp a b', 'cp a c', 'rm c', 'cd sub'])
    await world.close()
  },
)

test.each(['bash', 'zsh'])(
  '[APP60] in %s a person’s `!ls` between the question and the yes voids nothing, and the command is not asked about again',
  async (shell) => {
    const { world, workspace, session, ran } = await proposing(shell, 'rm a')
    await session.run('ls')
    await session.answer('allow')
    await session.until('agent_end')
    expect(session.all('elicitation_request')).toHaveLength(1)
    expect(session.all('elicitation_response')).toMatchObject([{ outcome: 'allow', moved: true }])
    expect(ran()).toEqual(['rm a'])
    expect(existsSync(join(workspace, 'a'))).toBe(false)
    await world.close()
  },
)

test.each([
  ['bash', 'export PATH=/nowhere:$PATH'],
  ['bash', 'export AWS_PROFILE=production'],
  ['bash', 'rm() { command rm "$@"; }'],
  ['zsh', 'export AWS_PROFILE=production'],
  ['zsh', "alias rm='rm -i'"],
])(
  '[APP60] in %s the state after `!%s` is another one: the yes is asked for again',
  async (shell, change) => {
    const { world, workspace, session, ran } = await proposing(shell, 'rm a')
    await session.run(change)
    await session.answer('allow')
    await session.until('elicitation_request', 2)
    expect(ran()).toEqual([])
    expect(existsSync(join(workspace, 'a'))).toBe(true)
    await session.answer('deny')
    await session.until('agent_end')
    await world.close()
  },
)

test('[APP71] a yes for the folder survives a restart and counts in another session, until it is revoked', async () => {
  const { world, session, workspace } = await proposing('bash', 'cp a b')
  const { server } = world
  await session.answer('allow', { scope: 'folder' })
  await session.until('agent_end')
  const { first } = await session.send('/approval')
  const { content } = await session.answerTo(first)
  const [id = ''] = /rule-\w+/.exec(content) ?? []
  expect(content).toContain(`always in this folder:\n- ${id}  exactly \`cp a b\`, in this folder`)
  await server.restart()
  // To overwrite what neither git nor the session has made would be hard to undo, which no rule covers.
  rmSync(join(workspace, 'b'))
  const other = await server.session()
  world.model.say('<shell>cp a b</shell>', 'Done.')
  await other.send('go')
  await other.until('agent_end')
  expect(other.all('elicitation_request')).toEqual([])
  expect(other.all('run_start')).toMatchObject([{ verdict: { rules: [id] } }])
  expect(await server.client.call(routes.removeRule, { params: { id } })).toMatchObject({ id })
  world.model.say('<shell>cp a b</shell>')
  await other.send('again')
  expect(await other.until('elicitation_request')).toMatchObject({ command: 'cp a b' })
  await world.close()
})
