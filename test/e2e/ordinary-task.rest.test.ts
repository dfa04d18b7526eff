import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trustFolder } from '../../src/client/server.ts'
import { startWorld } from '../support/world.ts'

/** The task that was measured before there was a policy: nine of these asked. */
const steps = [
  'ls',
  'cat README.md',
  'grep -rn greet src',
  'git log --oneline',
  'git diff',
  "sed -i 's/hello/good day/' src/greet.js",
  'npm test --silent',
  'git add src/greet.js',
  'git commit -q -m "fix: greet politely"',
  'git push -q --force origin main',
] as const

/** The repository of a person, with a remote. */
function plant(workspace: string): { git: (...args: readonly string[]) => string } {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', workspace, ...args], { encoding: 'utf8' })
  mkdirSync(join(workspace, 'src'))
  writeFileSync(join(workspace, 'README.md'), '# Greeter\n')
  writeFileSync(join(workspace, 'src', 'greet.js'), "export const greet = () => 'hello'\n")
  writeFileSync(
    join(workspace, 'package.json'),
    `${JSON.stringify({ scripts: { test: 'grep -q greet src/greet.js' } })}\n`,
  )
  const remote = join(workspace, '..', 'remote.git')
  execFileSync('git', ['init', '-q', '--bare', remote])
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('remote', 'add', 'origin', remote)
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  return { git }
}

test('[APP8] an ordinary task of ten steps in a trusted folder asks twice, to edit a file and to rewrite a branch, and is done', async () => {
  const world = await startWorld()
  const { model, server } = world
  const { workspace } = server
  const { git } = plant(workspace)
  await trustFolder(server.client, { folder: workspace, trusted: true })
  const session = await server.session()
  expect((await session.view()).approval).toBe('guarded')
  for (const [at, command] of steps.entries()) {
    const before = session.all('elicitation_request').length
    model.say(`<shell>${command}</shell>`, 'Done.')
    await session.send('go on')
    const ended = session.until('agent_end', at + 1).then(() => false)
    const asked = session.until('elicitation_request', before + 1).then(() => true)
    if (await Promise.race([ended, asked])) await session.answer('allow')
    await ended
  }
  expect(session.all('elicitation_request')).toMatchObject([
    { command: steps[5], grade: 'changes' },
    { command: steps[9], grade: 'destroys' },
  ])
  const ends = session.all('run_end').map(({ exitCode }) => exitCode)
  expect(ends).toEqual(steps.map(() => 0))
  expect(readFileSync(join(workspace, 'src', 'greet.js'), 'utf8')).toContain('good day')
  expect(git('rev-parse', 'origin/main')).toBe(git('rev-parse', 'HEAD'))
  await world.close()
})
