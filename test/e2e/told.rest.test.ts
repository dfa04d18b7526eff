import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { allProviders } from '../models/all-providers.ts'
import { serverOptions } from '../models/server-env.ts'
import { startServer } from '../support/server.ts'

const cases = allProviders.flatMap((provider) =>
  provider.dialects.map((dialect) => ({ name: `${provider.name}, ${dialect}`, provider, dialect })),
)

describe.each(cases)('$name', ({ provider, dialect }) => {
  test('[TYPE4] [APP5] [TYPE14] the model reads where a /shell ran, how its command was changed, and who did what', async () => {
    const model = await provider.start()
    onTestFinished(() => model.close())
    const server = await startServer(serverOptions(provider, { baseUrl: model.baseUrl, dialect }))
    onTestFinished(() => server.close())
    const repo = join(await realpath(server.workspace), 'back')
    await mkdir(join(repo, 'src'), { recursive: true })
    const skill = join(server.workspace, '.tandem', 'skills', 'tidy')
    await mkdir(skill, { recursive: true })
    await writeFile(
      join(skill, 'SKILL.md'),
      '---\nname: tidy\ndescription: Tidies.\n---\nTidy it.\n',
    )
    await server.client.call(routes.addRepo, { params: { team: 'default' }, body: { path: repo } })
    const session = await server.session()
    onTestFinished(() => session.close())
    const typed = async (text: string) => {
      const { first } = await session.send(text)
      return session.answerTo(first)
    }
    const ran = await typed('/shell --repo back --cwd src pwd')
    expect(ran.content).toBe(
      `$ pwd\n${repo}/src\n[exit 0; in ${repo}/src (repo back); run by the user]`,
    )
    await typed('/task create Fix it')
    await typed('/trust')
    await typed('/skill tidy')
    const args = JSON.stringify({ command: 'rm -rf one' })
    model.say(
      dialect === 'tags'
        ? '<shell>rm -rf one</shell>'
        : { parts: [{ type: 'call', name: 'terminal_execute', args }] },
      'seen',
    )
    await session.send('go on')
    await session.answer('allow', { command: 'rm -rf two' })
    await session.until('agent_end')
    const body = provider.items((await model.request(2)).body).join('\n')
    for (const told of [
      `[exit 0; in ${repo}/src (repo back); run by the user]`,
      '[the user typed: /task create Fix it]',
      '[the user typed: /trust]',
      '[the user typed: /skill tidy]',
      '[exit 0; the user changed the command, you asked for: rm -rf one]',
    ])
      expect(body).toContain(told)
    expect(body.includes('activate_skill')).toBe(dialect === 'tools')
    if (dialect === 'tags') expect(body).toContain('<screen/>')
    expect(session.all('step_end').every(({ witness }) => witness.ok)).toBe(true)
  }, 60_000)
})
