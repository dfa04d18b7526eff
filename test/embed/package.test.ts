import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { strictTypes } from '../support/strict-types.ts'
import { processesOf } from '../cli/cli.ts'

const run = promisify(execFile)
const root = process.cwd()
let folder: string

/** A project of somebody's that has the package: its manifest and what is built, and nothing else. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-user-'))
  const installed = join(folder, 'node_modules', 'tandem')
  await mkdir(installed, { recursive: true })
  await copyFile(join(root, 'package.json'), join(installed, 'package.json'))
  await symlink(join(root, 'dist'), join(installed, 'dist'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

test('[EMBED13] the example runs as it is, and leaves nothing behind', async () => {
  await copyFile(join(root, 'examples', 'embed', 'hello.mjs'), join(folder, 'hello.mjs'))
  const { PATH } = process.env
  const { stdout, stderr } = await run(process.execPath, ['hello.mjs'], {
    cwd: folder,
    env: { PATH, HOME: folder, TMPDIR: folder, SHELL: '/bin/bash' },
  })
  expect(stderr).toBe('')
  expect(stdout).toContain('ran "echo hello > note.txt", exit code 0')
  expect(stdout).toMatch(/done after 2 steps:\n[\s\S]*\$ ls\nnote\.txt\n/)
  expect(stdout).toContain('may it run "rm -rf tandem-demo"? no\nUnderstood, I will leave it.\n')
  expect(stdout).toMatch(/^1 session_start\n[\s\S]*\n\d+ agent_end\n$/m)
  expect(processesOf(folder)).toEqual([])
})

test('[EMBED13] runShell and getShellResult reach the server of a data folder; without one they say what to do', async () => {
  const program = `
import { createAgent, getShellResult, runShell } from 'tandem'
const options = { home: process.env.HOME + '/data' }
console.log(await runShell('default', { command: 'true' }, options).catch(({ code, message }) => code + ': ' + message))
const agent = await createAgent({ ...options, model: 'demo/offline', workspace: process.env.HOME })
const { session } = agent
const { id, status } = await runShell('default', { command: 'echo out; echo err >&2; exit 3', cwd: '/', session }, options)
for await (const event of agent.events()) if (event.type === 'run_end' && event.run === id) break
const { duration_ms, ...result } = await getShellResult('default', id, options)
console.log(status, JSON.stringify(result), typeof duration_ms)
console.log(await getShellResult('default', 'sh-' + '0'.repeat(36), options).catch(({ code }) => code))
await agent.close({ shells: 'end' })
`
  await writeFile(join(folder, 'shell.mjs'), program)
  const { PATH } = process.env
  const env = { PATH, HOME: folder, TMPDIR: folder, SHELL: '/bin/bash' }
  const { stdout, stderr } = await run(process.execPath, ['shell.mjs'], { cwd: folder, env })
  expect(stderr).toBe('')
  const [first, second, third] = stdout.split('\n')
  expect(first).toMatch(/^start: no server runs for .*\/data: start one with "tandem serve"/)
  expect(second).toMatch(/^running .* number$/)
  expect(JSON.parse(second?.slice('running '.length, -' number'.length) ?? '')).toEqual({
    id: expect.stringMatching(/^sh-/),
    status: 'error',
    reason: 'exit',
    exit_code: 3,
    stdout: 'out\n',
    stderr: 'err\n',
  })
  expect(third).toBe('not_found')
})

test('[EMBED13] its types stand alone, under the strictest settings, and are those of the events', async () => {
  const source = join(root, 'src', 'protocol')
  await writeFile(
    join(folder, 'user.ts'),
    `import { type Agent, AgentError, createAgent, type Delta, type Event } from 'tandem'
const agent: Agent = await createAgent({ model: 'demo/offline', approval: 'refuse' })
const { text, usage, runs }: { text: string; usage: { input: number }; runs: { exitCode: number | null }[] } =
  await agent.send({ message: '!ls' })
agent.subscribe((frame) => {
  if (frame.type === 'event' && frame.event.type === 'run_end') console.log(frame.event.durationMs + 1)
})
for await (const event of agent.events(3)) if (event.type === 'error') console.log(event.message.length)
// @ts-expect-error there is no such mode
await createAgent({ approval: 'yolo' })
console.log(text, usage, runs, new AgentError('x', 'y').code)
export type { Delta, Event }
`,
  )
  await writeFile(
    join(folder, 'same.ts'),
    `import type { Delta as OurDelta } from '${source}/stream/delta.ts'
import type { Event as OurEvent } from '${source}/events/event.ts'
import type { Delta, Event } from 'tandem'
export const there: (event: OurEvent) => Event = (event) => event
export const back: (event: Event) => OurEvent = (event) => event
export const thereDelta: (delta: OurDelta) => Delta = (delta) => delta
export const backDelta: (delta: Delta) => OurDelta = (delta) => delta
`,
  )
  const config = (file: string, options: object = {}) => ({
    compilerOptions: { ...strictTypes, ...options },
    files: [file],
  })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config('user.ts')))
  const inner = { allowImportingTsExtensions: true, skipLibCheck: true }
  await writeFile(join(folder, 'same.json'), JSON.stringify(config('same.ts', inner)))
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const check = (file: string) =>
    run(tsc, ['-p', file], { cwd: folder }).catch(({ stdout }) => ({ stdout }))
  expect((await check('tsconfig.json')).stdout).toBe('')
  expect((await check('same.json')).stdout).toBe('')
  expect(await readFile(join(root, 'dist', 'index.d.ts'), 'utf8')).not.toMatch(/^import /m)
})
