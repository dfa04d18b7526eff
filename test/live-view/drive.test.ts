import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { TerminalUpdate } from '../../src/protocol/stream/delta.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import type { TestSession } from '../support/session.ts'
import { filesWith } from './support/byte-log.ts'
import { openViewer, type TestViewer } from './support/viewer.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let session: TestSession
let viewer: TestViewer

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
  viewer = await openViewer(world.server, session.id)
  await viewer.untilSeen(/[$#] /)
})

const drive = (driver: 'person' | 'model') =>
  world.server.client.call(routes.driver, { params: { id: session.id }, body: { driver } })

/** Resolves when the terminal's newest state fits. */
const untilState = (fits: Partial<TerminalUpdate>) =>
  session.untilDelta((delta) => {
    const newest = session.deltas.findLast((other) => other.type === 'terminal')
    return (
      delta === newest &&
      Object.entries(fits).every(([key, value]) => delta[key as never] === value)
    )
  })

/** The model runs a command, with a person's leave. */
async function modelRuns(command: string, after = 'Done.'): Promise<void> {
  world.model.say(`<shell>${command}</shell>`, after)
  await session.send('go')
  await session.answer('allow')
  await session.until('run_start')
}

test('[LANE8] keys reach the shell at its prompt and the program that runs', async () => {
  viewer.type('echo typed-$((40 + 2))\r')
  await viewer.untilSeen('typed-42')
  await session.send('!cat')
  await untilState({ phase: 'running' })
  viewer.type('to the cat\r')
  await viewer.untilSeen(/to the cat\r\nto the cat\r\n/)
  viewer.type('\x04')
  expect(await session.until('run_end')).toMatchObject({ exitCode: 0 })
  await viewer.close()
})

test('[LANE8] while the model drives keys are refused, but Ctrl+C passes', async () => {
  await modelRuns('sleep 1000')
  await untilState({ phase: 'running', driver: 'model' })
  viewer.type('x')
  const refused = await viewer.untilFrame('refused')
  expect(refused.code).toBe('not_driver')
  viewer.type('\x03')
  expect(await session.until('run_end')).toMatchObject({ exitCode: 130 })
  await untilState({ driver: 'person' })
  await viewer.close()
})

test('[LANE10] a person takes over and hands back, and the turn goes on', async () => {
  await modelRuns('cat; echo cat-over')
  await untilState({ driver: 'model' })
  await drive('person')
  await untilState({ driver: 'person' })
  viewer.type('mine\r')
  await viewer.untilSeen(/mine\r\nmine\r\n/)
  await drive('model')
  await untilState({ driver: 'model' })
  viewer.type('\x04')
  expect((await viewer.untilFrame('refused')).code).toBe('not_driver')
  await drive('person')
  viewer.type('\x04')
  expect(await session.until('run_end')).toMatchObject({ exitCode: 0 })
  expect(await session.until('agent_end')).toMatchObject({ reason: 'done' })
  await viewer.close()
})

test('[LANE10] at a prompt there is nothing to take over', async () => {
  await expect(drive('person')).rejects.toMatchObject({
    fault: { refusal: { code: 'no_run' } },
  })
  await viewer.close()
})

test('[LANE10] a secret prompt opens the keyboard at once, and what is typed is nowhere', async () => {
  const secret = `s3cret-${randomBytes(12).toString('hex')}`
  const other = await openViewer(world.server, session.id)
  await modelRuns('read -rs -p "Password: " p; echo; echo "length ${#p}"')
  await untilState({ driver: 'person', screen: 'secret' })
  viewer.type(`${secret}\r`)
  await other.untilSeen(`length ${secret.length}`)
  await session.until('run_end')
  await session.until('agent_end')
  await session.run('true')
  for (const client of [viewer, other]) {
    expect(client.seen()).not.toContain(secret)
    expect(JSON.stringify(client.frames)).not.toContain(secret)
  }
  expect(JSON.stringify(session.frames)).not.toContain(secret)
  expect(world.model.requests.some(({ body }) => body.includes(secret))).toBe(false)
  expect(await filesWith(world.server.home, secret)).toEqual([])
  await Promise.all([viewer.close(), other.close()])
})

test('[LANE8] keys typed while a command is being entered come after it', async () => {
  await session.send('!read -r line; echo "got <$line>"')
  viewer.type('ahead\r')
  await viewer.untilSeen('got <ahead>')
  expect(await session.until('run_end')).toMatchObject({ exitCode: 0 })
  await viewer.close()
})
