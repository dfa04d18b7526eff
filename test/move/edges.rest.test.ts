import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Event } from '../../src/protocol/events/event.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { openViewer } from '../live-view/support/viewer.ts'
import type { TestSession } from '../support/session.ts'
import { useServer } from '../support/world.ts'
import { refusalToTake, take } from './support/take.ts'

const world = useServer()

test('[MOVE7] a shell that does not tell what it does moves, too, unless a program is in front of it', async () => {
  const { server } = world
  const session = await server.session()
  const unbind = 'for key in 1 2 3 7; do bind -r "\\e\\C-^$key"; done'
  await session.run(`${unbind}; unset PROMPT_COMMAND PS0; PS1='$ '`)
  const viewer = await openViewer(server, session.id)
  viewer.type('KEPT=yes; echo at-rest\r')
  await viewer.untilSeen(/[\r\n]at-rest/)
  viewer.type(`sh -c 'echo in-""front; exec cat'\r`)
  await viewer.untilSeen('in-front')
  expect(await refusalToTake(server, session.id)).toMatchObject({ code: 'terminal_busy' })
  viewer.type('\x04echo back-again\r')
  await viewer.untilSeen(/[\r\n]back-again/)
  await viewer.close()
  const second = await take(server, session)
  const next = await openViewer(server, second.id)
  next.type('echo "[$KEPT]"\r')
  await next.untilSeen(/[\r\n]\[yes\]/)
  await next.close()
})

test('[MOVE7] a prompt that is still being drawn is waited for', async () => {
  const { server } = world
  const session = await server.session()
  await session.run("KEPT=yes; PROMPT_COMMAND='sleep 0.5'")
  await session.run('true')
  const second = await take(server, session)
  expect((await second.run('echo "[$KEPT]"')).content).toContain('\n[yes]\n')
})

/** Takes it as soon as it is to be had. */
async function takeAtLast(session: TestSession): Promise<TestSession> {
  for (;;) {
    const taken = await take(world.server, session).catch(() => null)
    if (taken !== null) return taken
  }
}

/** What its log says was typed there. */
async function typedIn({ id }: TestSession): Promise<readonly string[]> {
  const query = { format: 'jsonl' } as const
  const log = await world.server.client.document(routes.export, { params: { id }, query })
  const events = log
    .trim()
    .split('\n')
    .map((line) => Event.parse(JSON.parse(line)))
  return events.flatMap((event) =>
    event.type === 'run_start' && event.source === 'typed'
      ? [/echo (\S+) >>/.exec(event.command)?.[1] ?? event.command]
      : [],
  )
}

async function untilTold(session: TestSession, word: string): Promise<void> {
  for (let n = 1; ; n += 1) if ((await session.until('run_start', n)).command.includes(word)) return
}

test('[MOVE12] what is typed while a terminal moves runs once, and one of the two sessions tells it', async () => {
  const { server } = world
  let last = await server.session()
  await last.run('true')
  const told: string[] = []
  for (const move of [0, 1, 2, 3]) {
    const session = last
    const viewer = await openViewer(server, session.id)
    await viewer.until(() => viewer.screens.length > 0)
    viewer.type(`echo ${move} >> ran\r`)
    const taking = takeAtLast(session)
    // After the move they are refused.
    for (const n of [0, 1, 2, 3, 4]) {
      viewer.type(`echo ${move}-${n} >> ran\r`)
      await new Promise(setImmediate)
    }
    last = await taking
    await viewer.close()
    const after = await openViewer(server, last.id)
    after.type(`echo ${move}-last >> ran\r`)
    await untilTold(last, `${move}-last`)
    await after.close()
    told.push(...(await typedIn(session)))
  }
  told.push(...(await typedIn(last)))
  const ran = (await readFile(join(server.workspace, 'ran'), 'utf8')).trim().split('\n')
  expect(ran).toEqual(expect.arrayContaining(['0', '1', '2', '3']))
  expect(new Set(ran).size).toBe(ran.length)
  expect(told).toEqual(ran)
})
