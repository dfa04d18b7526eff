import { expect, test } from 'vitest'
import type { Delta } from '../../src/protocol/stream/delta.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

function outputsOf(deltas: readonly Delta[], request: number) {
  return deltas.flatMap((delta) =>
    delta.type === 'tool_update' && delta.request === request && delta.output !== undefined
      ? [delta.output]
      : [],
  )
}

test('[RUN14] a flood costs a client little and loses nothing: what is left out can be paged', async () => {
  const session = await world.server.session()
  const { request } = await session.run('seq 1 1500000; echo the-end')
  const { run, bytes } = await session.until('run_end')
  const told = outputsOf(session.deltas, request)
  const chars = told.reduce((sum, { text }) => sum + text.length, 0)
  expect(bytes).toBeGreaterThan(11_000_000)
  expect(chars).toBeLessThan(bytes / 2)
  expect(told[0]).toMatchObject({ offset: 0, text: expect.stringMatching(/^1\r\n2\r\n3\r\n/) })
  const last = told.at(-1)!
  // A server that lags is spared the rest of a flood; then its end is in the pages alone.
  expect(last.offset + last.text.length).toBeLessThanOrEqual(bytes)
  const end = await world.server.client.call(routes.runOutput, {
    params: { id: session.id, run },
    query: { from: bytes - 18, limit: 18 },
  })
  expect(end.text).toBe('1500000\r\nthe-end\r\n')
  for (const { offset, text } of [told[0]!, told.at(told.length >> 1)!, last]) {
    const page = await world.server.client.call(routes.runOutput, {
      params: { id: session.id, run },
      query: { from: offset, limit: text.length },
    })
    expect(page.text === text).toBe(true)
  }
  session.close()
})

test('[RUN14] after its call was answered a run goes on printing at its offset', async () => {
  const session = await world.server.session()
  world.model.say('<shell>read -p "name? " name; echo "hi $name"; read -p "more? " _</shell>')
  world.model.say('<input>Ada</input>', 'It asks for more.')
  await session.send('greet')
  await session.answer('allow')
  const { request } = await session.until('tool_response')
  await session.until('elicitation_request', 2)
  await session.answer('allow')
  await session.until('agent_end')
  const told = outputsOf(session.deltas, request)
  const text = told.map((output) => output.text).join('')
  expect(text).toMatch(/^name\? Ada\r\nhi Ada\r\nmore\? $/)
  expect(told.map(({ offset }) => offset)).toEqual(
    told.map((_, at) => told.slice(0, at).reduce((sum, output) => sum + output.text.length, 0)),
  )
  const late = world.server.reopen(session)
  await late.untilDelta((delta) => delta.type === 'tool_update')
  expect(outputsOf(late.deltas, request)).toEqual([{ offset: 0, text }])
  await session.interrupt()
  await session.until('run_end')
  session.close()
  late.close()
})
