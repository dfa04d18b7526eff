import { expect, test } from 'vitest'
import type { Event } from '../../src/protocol/events/event.ts'
import type { Delta } from '../../src/protocol/stream/delta.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

/** Follows a session and hangs up after so many events, again and again, until the turn has ended. */
async function inPieces(session: string, size: number): Promise<readonly Event[]> {
  const events: Event[] = []
  while (!events.some((event) => event.type === 'agent_end')) {
    const hangUp = new AbortController()
    let taken = 0
    await world.server.client.follow({
      session,
      after: events.length,
      signal: hangUp.signal,
      onFrames(frames) {
        for (const frame of frames) {
          if (frame.type !== 'event' || taken >= size) continue
          events.push(frame.event)
          taken += 1
        }
        if (taken >= size) hangUp.abort()
      },
    })
  }
  return events
}

test('[REC7] whoever hangs up in the middle of a turn and comes back sees the identical events', async () => {
  const session = await world.server.session()
  world.model.say('<shell>ls</shell>', '<shell>pwd</shell><shell>date</shell>', 'So.')
  const pieces = Promise.all([
    inPieces(session.id, 1),
    inPieces(session.id, 2),
    inPieces(session.id, 7),
  ])
  await session.send('go')
  await session.until('agent_end')
  for (const events of await pieces) expect(events).toEqual(session.events.slice(0, events.length))
})

test('[REC7] whoever joins in the middle of a reply and of a run gets both from their beginning', async () => {
  const session = await world.server.session()
  const never = new Promise<void>(() => undefined)
  world.model.say({ pieces: ['Once upon ', 'a time'], ending: never })
  await session.send('tell')
  await session.untilDelta((delta) => delta.type === 'message_delta' && delta.text === 'a time')
  await session.send('!echo first; read -r line')
  await session.untilDelta((delta) => delta.type === 'tool_update' && !!delta.output)
  const late = world.server.reopen(session)
  await late.untilDelta((delta) => delta.type === 'tool_update' && !!delta.output)
  const first: Delta[] = late.deltas.filter((delta) => delta.type !== 'terminal')
  const call = session.all('tool_request')[0]!
  expect(first).toEqual([
    {
      type: 'message_delta',
      step: session.all('step_start')[0]!.seq,
      offset: 0,
      text: 'Once upon a time',
    },
    { type: 'tool_update', request: call.seq, output: { offset: 0, text: 'first\r\n' } },
  ])
  await session.interrupt()
  await session.abort()
  await session.until('step_end')
})
