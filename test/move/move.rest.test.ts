// needs: zsh fish
import { afterEach, beforeEach, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { openViewer } from '../live-view/support/viewer.ts'
import { expectExtends } from '../support/prefix.ts'
import { partByPart, startServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { startWorld } from '../support/world.ts'
import { take } from './support/take.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let first: TestSession

beforeEach(async () => {
  world = await startWorld({ config: partByPart })
  first = await world.server.session()
})

afterEach(() => world.close())

test('[MOVE1] a new session goes on in the shell of another one: folder, variables, functions and jobs are there', async () => {
  await first.run('cd /tmp; export KEPT=yes; inner=too; sleep 1000 & greet() { echo "hi $1"; }')
  const { pid } = (await first.view()).shell!
  const second = await take(world.server, first)
  expect((await second.view()).shell).toMatchObject({ pid, cwd: '/tmp', generation: 1 })
  expect((await second.run('echo $KEPT $inner; greet you; jobs; pwd')).content).toMatch(
    /yes too\nhi you\n\[1\].*sleep 1000.*\n\/tmp\n\[exit 0/,
  )
  expect(await first.until('shell_exit')).toMatchObject({ reason: 'moved', movedTo: second.id })
  expect(await second.until('shell_start')).toMatchObject({
    taken: { session: first.id, generation: 1, hidden: [] },
  })
  expect((await first.view()).shell).toBeNull()
})

test.each(['zsh', 'fish'])('[MOVE1] %s moves as bash does', async (shell) => {
  const server = await startServer({ env: { SHELL: `/usr/bin/${shell}` } })
  try {
    const before = await server.session()
    const set = shell === 'fish' ? 'set -gx KEPT yes' : 'export KEPT=yes'
    await before.run(`cd /tmp; ${set}; sleep 1000 &`)
    const after = await take(server, before)
    expect((await after.run('echo $KEPT; jobs; pwd')).content).toMatch(
      /yes\n[\s\S]*sleep 1000[\s\S]*\n\/tmp\n\[exit 0/,
    )
  } finally {
    await server.close()
  }
})

test('[MOVE1] both models are told: one that its shell is gone, the other where it goes on', async () => {
  const { model, server } = world
  model.say('Hello.', 'Gone, I see.', 'There, then.', '<shell>pwd</shell>', 'Yes.')
  await first.run('mkdir inner; cd inner')
  await first.send('hello')
  await first.until('agent_end')
  const second = await take(server, first)
  await first.send('and now?')
  await first.until('agent_end', 2)
  expectExtends(model.requests[1]!, model.requests[0]!)
  expect(JSON.stringify(model.requests[1])).toContain('the terminal to another session: its shell')
  await second.send('where are you?')
  await second.until('agent_end')
  expect(JSON.stringify(model.requests[2])).toContain(
    `its shell goes on in ${server.workspace}/inner, with the`,
  )
  await second.send('sure?')
  await second.until('agent_end', 2)
  expectExtends(model.requests[3]!, model.requests[2]!)
  expect(second.all('tool_response').at(-1)?.content).toBe(
    `$ pwd\n${server.workspace}/inner\n[exit 0]`,
  )
})

test('[MOVE4] the session it left shows that, starts no shell because somebody looks, and one with the next command', async () => {
  const { server } = world
  await first.run('KEPT=yes; cd /tmp')
  await take(server, first)
  for (const isNewServer of [false, true]) {
    if (isNewServer) await server.restart()
    const again = server.reopen(first)
    const viewer = await openViewer(server, first.id)
    await again.untilDelta((delta) => delta.type === 'terminal' && delta.phase === 'moved')
    viewer.type('x')
    const refusal = await viewer.untilFrame('refused')
    expect(refusal).toMatchObject({ message: 'The terminal has moved to another session.' })
    await viewer.close()
    expect(again.all('shell_start')).toHaveLength(1)
  }
  const last = server.reopen(first)
  expect((await last.run('echo "[$KEPT]"; pwd')).content).toContain('[]\n/tmp\n')
  expect((await last.view()).shell).toMatchObject({ generation: 2 })
})

test('[MOVE4] who looks at a terminal that moves is told once and stays connected; who looks at it then sees the same screen go on', async () => {
  const { server } = world
  await first.run('echo before-the-move')
  const [one, other] = [await openViewer(server, first.id), await openViewer(server, first.id)]
  await one.untilSeen('before-the-move')
  await other.untilSeen('before-the-move')
  // A half-typed line is the shell's, and comes along.
  one.type('echo half-')
  await one.untilSeen('echo half-')
  const second = await take(server, first)
  await first.untilDelta((delta) => delta.type === 'terminal' && delta.phase === 'moved')
  expect([one.gaps, other.gaps]).toEqual([[], []])
  const after = await openViewer(server, second.id)
  await after.untilSeen('before-the-move')
  after.type('typed\r')
  await second.until('run_end')
  await after.untilSeen(/\rhalf-typed/)
  expect(second.all('run_start')).toMatchObject([{ command: 'echo half-typed', source: 'typed' }])
  await second.run('echo in-the-new-one')
  await after.untilSeen(/\rin-the-new-one/)
  expect((await after.drawn()).lines.join('\n')).toMatch(
    /before-the-move[\s\S]*half-typed[\s\S]*in-the-new-one/,
  )
  expect(first.all('run_start')).toHaveLength(1)
  expect(one.seen() + other.seen()).not.toContain('in-the-new-one')
  for (const viewer of [one, other, after]) {
    expect(viewer.socket.readyState).toBe(viewer.socket.OPEN)
    await viewer.close()
  }
})

test('[MOVE4] each session keeps its own output: what was printed before stays in the first, and a recording of the second begins with the screen', async () => {
  const { server } = world
  await first.run('seq 1 3000; echo early-word')
  const second = await take(server, first)
  await second.run('echo late-word')
  for (const isNewServer of [false, true]) {
    if (isNewServer) await server.restart()
    const [early, late] = [await exported(first, 'cast'), await exported(second, 'cast')]
    expect(early).toContain('early-word')
    expect(early).toContain('1\\r\\n2\\r\\n3\\r\\n')
    expect(early).not.toContain('late-word')
    expect(late).toMatch(/early-word[\s\S]*late-word/)
    expect(late).not.toContain('1\\r\\n2\\r\\n3\\r\\n')
    expect(await exported(first, 'json')).toMatch(/1\\n2\\n3\\n[\s\S]*early-word/)
    const { run } = await first.until('run_start')
    const page = await server.client.call(routes.runOutput, {
      params: { id: first.id, run },
      query: { from: 0, limit: 10 },
    })
    expect(page.text).toBe('1\r\n2\r\n3\r\n4')
  }
})

async function exported({ id }: TestSession, format: 'cast' | 'json'): Promise<string> {
  return world.server.client.document(routes.export, { params: { id }, query: { format } })
}
