// takes: 40 s
import { beforeEach, expect, test } from 'vitest'
import type { ToolUpdate } from '../../src/protocol/stream/delta.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { openViewer } from '../live-view/support/viewer.ts'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ config: { personSilenceSeconds: 2 } })
let session: TestSession

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
})

const isEnding = (delta: object): delta is ToolUpdate =>
  'status' in delta && delta.status === 'ending'
const endings = () => session.deltas.filter(isEnding)
const statuses = () =>
  session.deltas.flatMap((delta) => (delta.type === 'tool_update' && delta.status) || [])
const keep = () => world.server.client.call(routes.keep, { params: { id: session.id }, body: {} })
/** More than twice the limit, without a word. */
const silent = 'sleep 5; echo over'

test('[WAIT11] before a person’s silent command is stopped it is announced, with the time left', async () => {
  expect(await session.run('echo on; sleep 1000')).toMatchObject({ status: 'timeout' })
  const [announced, ...more] = endings()
  expect(more).toEqual([])
  expect(announced?.endsInMs).toBeGreaterThan(0)
  expect(announced?.endsInMs).toBeLessThanOrEqual(1_000)
  expect(statuses()).toEqual(['running', 'ending', 'stopping'])
  expect(await session.until('run_end')).toMatchObject({ exitCode: 130 })
})

test('[WAIT11] a person who wants to keep a silent command calls its end off', async () => {
  const answered = session.run(silent)
  await session.untilDelta(isEnding)
  await keep()
  expect(await answered).toMatchObject({
    status: 'done',
    content: expect.stringMatching(/^over$/m),
  })
  expect(statuses()).toEqual(['running', 'ending', 'running'])
})

test('[WAIT11] keys that a person types break the silence of their command', async () => {
  const viewer = await openViewer(world.server, session.id)
  await viewer.untilSeen(/[$#] /)
  const answered = session.run(`stty -echo; ${silent}; stty echo`)
  // At each announcement, however many there are.
  for (let typed = 1; typed <= 10; typed += 1)
    void session.untilDelta(() => endings().length >= typed).then(() => viewer.type('\r'))
  expect(await answered).toMatchObject({ status: 'done' })
  expect(endings().length).toBeGreaterThan(0)
  await viewer.close()
})

test('[WAIT11] only a command of a person’s that runs in the terminal can be kept', async () => {
  await expect(keep()).rejects.toThrow('No command of yours is running')
  world.model.say('<shell>sleep 1000</shell>')
  await session.send('go')
  await session.answer('allow')
  await session.until('run_start')
  await expect(keep()).rejects.toThrow('No command of yours is running')
  await session.abort()
  await session.until('run_end')
})

test.each([
  ['a program', 'timeout 5 sh -c "while :; do :; done"; echo over'],
  ['the shell itself', 'end=$((SECONDS + 5)); while [ $SECONDS -lt $end ]; do :; done; echo over'],
  ['a child in the background', '(timeout 5 yes >/dev/null & wait); echo over'],
  [
    'children that come and go',
    'for i in $(seq 10); do timeout 0.5 yes >/dev/null; done; echo over',
  ],
])(
  '[TERM57] a command that computes without a word is at work, not silent: %s',
  async (_, command) => {
    expect(await session.run(command)).toMatchObject({
      status: 'done',
      content: expect.stringMatching(/^over$/m),
    })
    expect(endings()).toEqual([])
  },
)

test('[TERM57] a client may say how long its command may be silent, or that it may be for ever', async () => {
  const { client } = world.server
  const { first } = await client.send(session.id, { text: silent, as: 'run', timeoutMs: 0 })
  expect(await session.answerTo(first)).toMatchObject({ status: 'done' })
  const short = await client.send(session.id, { text: 'sleep 1000', as: 'run', timeoutMs: 200 })
  expect(await session.answerTo(short.first)).toMatchObject({ status: 'timeout' })
  expect(session.all('run_start').map(({ timeoutMs }) => timeoutMs)).toEqual([0, 200])
})
