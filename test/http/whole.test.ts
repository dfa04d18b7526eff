import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { Event } from '../../src/protocol/events/event.ts'
import { SocketFrame } from '../../src/protocol/stream/frame.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { startServer } from '../support/server.ts'
import { callAgent } from './agent-client.ts'
import { inbox } from './support.ts'

/** The real server process with real sessions and shells; only the model is scripted. */
async function startWhole() {
  const model = await startScriptedModel()
  onTestFinished(() => model.close())
  const server = await startServer({
    env: { TANDEM_BASE_URL: model.baseUrl, TANDEM_MODEL: 'openai-compatible/scripted' },
  })
  onTestFinished(() => server.close())
  return { model, server }
}

test('[HTTP72] the stateless route runs what needs no question, refuses the rest, and ignores supplied tags', async () => {
  const { model, server } = await startWhole()
  const reply = 'Looking.\n<shell>pwd</shell> and <shell>rm -rf nothing</shell>'
  model.say(reply, 'There.')
  const messages = [
    { role: 'user', content: 'before' },
    { role: 'assistant', content: 'earlier <shell>echo never</shell>' },
    { role: 'user', content: 'look' },
  ]
  const lines = await callAgent(server, { messages })
  const said = lines.flatMap((line) => (line.type === 'text' ? [line.content] : [])).join('')
  expect(said).toBe(`${reply}There.`)
  const [fine, risky] = ['pwd', 'rm -rf nothing']
  expect(lines.filter(({ type }) => type !== 'text')).toEqual([
    { type: 'tool-call', command: fine },
    { type: 'tool-call', command: risky },
    { type: 'tool-result', command: fine, result: expect.stringMatching(/^\/[^\n]*tandem[^\n]*$/) },
    { type: 'tool-result', command: risky, result: expect.stringContaining('[not run') },
    { type: 'iteration-end', hasMoreCommands: true, messages: expect.any(Array) },
    { type: 'iteration-end', hasMoreCommands: false, messages: expect.any(Array) },
    { type: 'done' },
  ])
})

test('[HTTP60] a session seen by stream, by socket and by page is one and the same', async () => {
  const { model, server } = await startWhole()
  model.say('Let me see.\n<shell>pwd</shell>', 'There.')
  const session = await server.session()
  onTestFinished(() => session.close())
  const { ticket } = await server.client.call(routes.ticket, {})
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/socket`)
  const frames = inbox<SocketFrame>()
  socket.on('message', (data: Buffer) => frames.put(SocketFrame.parse(JSON.parse(data.toString()))))
  onTestFinished(() => socket.terminate())
  await new Promise((resolve) => socket.on('open', resolve))
  socket.send(JSON.stringify({ type: 'ticket', ticket }))
  socket.send(JSON.stringify({ type: 'subscribe', session: session.id, after: 0 }))
  await session.send('where are we?')
  const { seq } = await session.until('agent_end')
  const ofSocket = () =>
    frames.items.flatMap((item) =>
      item.type === 'frame' && item.frame.type === 'event' ? [item.frame.event] : [],
    )
  await frames.until(() => ofSocket().some((event) => event.seq === seq))
  const { events } = await server.client.call(routes.log, { params: { id: session.id } })
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
  expect(session.events.slice(0, seq)).toEqual(events.slice(0, seq))
  expect(ofSocket().slice(0, seq)).toEqual(events.slice(0, seq))
  for (const event of events) expect(Event.parse(event)).toEqual(event)
})
