import { readdirSync, readlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { TestSession } from '../support/session.ts'
import { openTab, openViewer, type TestViewer } from './support/viewer.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let session: TestSession

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
})

/** The size as the shell itself says it. */
async function sttySize(): Promise<string> {
  const answer = await session.run('stty size')
  return answer.content.split('\n')[1]!
}

const sized = (viewer: TestViewer, rows: number, cols: number) =>
  viewer.untilFrame('viewing', (frame) => frame.rows === rows && frame.cols === cols)

test('[LANE14] the terminal is as large as its smallest visible viewer, and at least 80×24', async () => {
  const one = await openViewer(world.server, session.id, { rows: 50, cols: 200 })
  await one.untilSeen(/[$#] /)
  expect(await sttySize()).toBe('50 200')
  const two = await openViewer(world.server, session.id, { rows: 60, cols: 100 })
  await sized(one, 50, 100)
  expect(await sttySize()).toBe('50 100')
  two.viewport(10, 20)
  await sized(one, 24, 80)
  expect(await sttySize()).toBe('24 80')
  two.viewport(10, 20, false)
  await two.until(() => two.frames.findLast((frame) => frame.type === 'viewing')?.cols === 200)
  expect(await sttySize()).toBe('50 200')
  await two.close()
  await one.close()
  expect(await sttySize()).toBe('50 200')
})

test('[LANE14] a model’s run keeps its size; the new one comes after it', async () => {
  const viewer = await openViewer(world.server, session.id, { rows: 40, cols: 100 })
  await viewer.untilSeen(/[$#] /)
  world.model.say('<shell>read -r _ < <(printf go; cat fifo); stty size</shell>', 'Done.')
  await session.run('mkfifo fifo')
  await session.send('go')
  await session.answer('allow')
  await session.untilDelta((delta) => delta.type === 'terminal' && delta.driver === 'model')
  viewer.viewport(30, 90)
  viewer.type('x')
  await viewer.untilFrame('refused')
  await writeFile(join(world.server.workspace, 'fifo'), 'on\n')
  const answer = await session.until('tool_response', 2)
  expect(answer.content).toContain('\n40 100\n')
  await sized(viewer, 30, 90)
  await session.until('agent_end')
  expect(await sttySize()).toBe('30 90')
  await viewer.close()
})

/** Asks the terminal and prints every answer that comes until half a second passes without one. */
const query = `stty -echo -icanon; printf '\\e[c'; got=; while IFS= read -r -n1 -t 0.5 k; do got+=$k; done; stty sane; printf '%s' "$got" | od -An -c | tr -d ' \\n'; echo`
const answers = (content: string) => content.match(/033\[\?[0-9;]*c/g) ?? []

test('[LANE16] a query is answered exactly once, whether nobody, one or three look', async () => {
  await session.run('true')
  expect(answers((await session.run(query)).content).length).toBe(1)
  const viewers: TestViewer[] = []
  for (const wanted of [1, 3]) {
    while (viewers.length < wanted) {
      const viewer = await openViewer(world.server, session.id)
      await viewer.untilFrame('screen')
      viewers.push(viewer)
    }
    expect(answers((await session.run(query)).content).length).toBe(1)
  }
  for (const viewer of viewers) await viewer.close()
  expect(answers((await session.run(query)).content).length).toBe(1)
})

/** The one it listens on, and one for a server that is connected. */
function sockets(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(join(folder, name)).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}

test('[LANE16] while no server is there the holder answers, and a viewer goes on after it', async () => {
  const viewer = await openViewer(world.server, session.id)
  await viewer.untilSeen(/[$#] /)
  await session.run('mkfifo gate')
  await session.send(`!echo rea''dy; read -r _ < gate; ${query}`)
  await viewer.untilSeen(/ready\r\n/)
  const [holder = 0] = await world.server.holdersOf((await session.view()).shell!.pid)
  const connected = sockets(holder)
  await world.server.kill()
  // The holder has noticed when it has let go of the dead server's connection.
  while (sockets(holder) >= connected) await new Promise(setImmediate)
  await writeFile(join(world.server.workspace, 'gate'), 'on\n')
  await world.server.restart()
  session = world.server.reopen(session)
  const again = await openViewer(world.server, session.id, { from: viewer.end() })
  const answer = await session.until('tool_response', 2)
  expect(answers(answer.content).length).toBe(1)
  await again.untilSeen(/033\[\?/)
  expect([again.gaps, again.screens, again.pieces[0]!.offset]).toEqual([[], [], viewer.end()])
  await again.close()
})

test('[LANE18] what is malformed is refused, and server, socket and shell live on', async () => {
  const viewer = await openViewer(world.server, session.id)
  await viewer.untilSeen(/[$#] /)
  const refusals = () => viewer.frames.filter((frame) => frame.type === 'refused')
  const id = session.id
  const bad: (string | Buffer)[] = [
    Buffer.from([1, 1, 0, 0, 255]),
    'nonsense',
    JSON.stringify({ type: 'view', session: id, rows: 24, cols: 80, visible: true }),
    JSON.stringify({ type: 'view', session: 'no-such', rows: 24, cols: 80, visible: true }),
    JSON.stringify({ type: 'input', session: 'no-such', data: 'x' }),
    JSON.stringify({ type: 'unview', session: 'no-such' }),
    JSON.stringify({ type: 'ack', session: id, offset: -1 }),
    JSON.stringify({ type: 'ack', session: id, offset: 0.5 }),
    JSON.stringify({ type: 'input', session: id, data: '' }),
    JSON.stringify({ type: 'input', session: id, data: 'x'.repeat(20_000) }),
    ...[
      [0, 0],
      [-1, 80],
      [24, 1e9],
      [24.5, 80],
    ].map(([rows, cols]) =>
      JSON.stringify({ type: 'viewport', session: id, rows, cols, visible: true }),
    ),
  ]
  for (const [index, message] of bad.entries()) {
    viewer.raw(message)
    await viewer.until(() => refusals().length > index)
  }
  viewer.say({ type: 'ack', session: id, offset: Number.MAX_SAFE_INTEGER })
  const other = await openTab(world.server)
  const closed = new Promise<number>((resolve) => other.on('close', resolve))
  other.send(JSON.stringify({ type: 'input', session: id, data: 'y'.repeat(100_000) }))
  expect(await closed).toBe(1009)
  viewer.type('echo still-$((1 + 1))\r')
  await viewer.untilSeen('still-2')
  expect(viewer.frames.find((frame) => JSON.stringify(frame).includes('xxx'))).toBe(undefined)
  await viewer.close()
})

test('[LANE1] a viewer sees the shell end and the next one start', async () => {
  const viewer = await openViewer(world.server, session.id)
  await viewer.untilSeen(/[$#] /)
  viewer.type('exit\r')
  await session.until('shell_exit')
  viewer.type('x')
  expect((await viewer.untilFrame('refused')).code).toBe('no_run')
  await session.run('echo second-life')
  await viewer.untilSeen(/second-life\r\n/)
  expect(viewer.gaps).toEqual([])
  await viewer.close()
})

test('[LANE1] a new shell starts on a clean screen, whatever the last one left behind', async () => {
  const viewer = await openViewer(world.server, session.id)
  await viewer.untilSeen(/[$#] /)
  viewer.type(`printf '\\e[?1049h\\e[3;5r\\e[?25l\\e[?1003h'; kill -9 $$\r`)
  await session.until('shell_exit')
  await session.run('echo plain-again')
  await viewer.untilSeen(/plain-again\r\n/)
  const late = await openViewer(world.server, session.id)
  const screen = await late.untilFrame('screen')
  for (const mode of ['?1049h', '?25l', '?1003h', '3;5r'])
    expect(screen.data).not.toContain(`\x1b[${mode}`)
  await session.untilDelta((delta) => delta.type === 'terminal' && delta.screen === 'line')
  await Promise.all([viewer.close(), late.close()])
})
