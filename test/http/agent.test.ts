import * as fc from 'fast-check'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { Event } from '../../src/protocol/events/event.ts'
import type { Frame } from '../../src/protocol/stream/frame.ts'
import { AgentLine } from '../../src/protocol/http/agent-route.ts'
import type { TurnEnd } from '../../src/protocol/events/turn.ts'
import { createAgentLines } from '../../src/server/http/stream/agent-lines.ts'
import type { FreshEvent, ScriptedHost } from './scripted-hosts.ts'
import { errorOf, startTestServer, type TestServer } from './support.ts'

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const witness = { prefixBytes: 0, ok: true }
const prompt = { messages: [{ role: 'user', content: 'go' }] }

const startTurn: FreshEvent = { type: 'agent_start', trigger: 1 }
const startStep = (step: number): FreshEvent => ({
  type: 'step_start',
  turn: 2,
  step,
  takes: [],
  request: { bytes: 0, hash: '', added: [] },
})
const reply = (step: number | null, text: string): FreshEvent => ({
  type: 'message',
  role: 'assistant',
  parts: [{ type: 'text', text }],
  step,
  stop: 'done',
  usage,
  witness,
  inContext: true,
  synthetic: false,
})
const call = (step: number | null, command: string): FreshEvent => ({
  type: 'tool_request',
  meta: { isClientInitiated: false },
  name: 'shell',
  args: command,
  index: 0,
  step,
})
const answer = (request: number, content: string): FreshEvent => ({
  type: 'tool_response',
  meta: { isClientInitiated: false },
  request,
  status: 'done',
  content,
  inContext: true,
})
const endStep = (start: number, hasMoreCommands: boolean): FreshEvent => ({
  type: 'step_end',
  start,
  hasMoreCommands,
  usage,
  witness,
})
const endTurn = (reason: TurnEnd): FreshEvent => ({
  type: 'agent_end',
  turn: 2,
  reason,
  steps: 1,
  usage,
})

function later(work: () => void): void {
  setImmediate(work)
}

async function linesOf(response: Response): Promise<AgentLine[]> {
  const text = await response.text()
  const blocks = text.split('\n\n')
  expect(blocks.pop()).toBe('')
  return blocks.map((block) => {
    expect(block).toMatch(/^data: .*$/)
    return AgentLine.parse(JSON.parse(block.slice('data: '.length)))
  })
}

test('[HTTP70] the stateless route writes a turn as lines, in order, and ends with done', async () => {
  const server = await startTestServer()
  server.hosts.onThrowAway((host, messages) => {
    expect(messages).toEqual(prompt.messages)
    host.append(startTurn)
    const first = host.append(startStep(1)).seq
    later(() => {
      host.delta({ type: 'message_delta', step: first, offset: 0, text: 'Let me\n' })
      host.delta({ type: 'message_delta', step: first, offset: 7, text: 'look.' })
      host.append(reply(first, 'Let me\nlook.'))
      const one = host.append(call(first, 'ls')).seq
      const two = host.append(call(first, 'pwd')).seq
      host.append(answer(one, '$ ls\na b\n[exit 0]'))
      host.append(answer(two, '$ pwd\n/w\n[exit 1]'))
      host.append(endStep(first, true))
      const second = host.append(startStep(2)).seq
      host.append(reply(second, 'Done.'))
      host.append(endStep(second, false))
      host.append(endTurn('done'))
    })
  })
  const response = await server.call('/api/agent', { json: prompt })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(await linesOf(response)).toEqual([
    { type: 'text', content: 'Let me\n' },
    { type: 'text', content: 'look.' },
    { type: 'tool-call', command: 'ls' },
    { type: 'tool-call', command: 'pwd' },
    { type: 'tool-result', command: 'ls', result: 'a b' },
    { type: 'tool-result', command: 'pwd', result: '/w\n[exit 1]' },
    {
      type: 'iteration-end',
      hasMoreCommands: true,
      messages: [
        { role: 'assistant', content: 'Let me\nlook.' },
        { role: 'tool', content: '$ ls\na b\n[exit 0]', record: true },
        { role: 'tool', content: '$ pwd\n/w\n[exit 1]', record: true },
      ],
    },
    { type: 'text', content: 'Done.' },
    {
      type: 'iteration-end',
      hasMoreCommands: false,
      messages: [{ role: 'assistant', content: 'Done.' }],
    },
    { type: 'done' },
  ])
  await server.hosts.shellEnded()
  expect(server.hosts.endedShells).toHaveLength(1)
})

test('[HTTP70] the text is whole and in order whichever deltas were missed or repeated', () => {
  const pieces = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, fc.array(fc.nat({ max: 7 }), { maxLength: 12 }), (texts, order) => {
      const whole = texts.join('')
      const offsets = texts.map((_, i) => texts.slice(0, i).join('').length)
      const lines = createAgentLines()
      const frames: Frame[] = order.flatMap((i) => {
        const [text, offset] = [texts[i], offsets[i]]
        if (text === undefined || offset === undefined) return []
        return [{ type: 'delta', delta: { type: 'message_delta', step: 3, offset, text } }]
      })
      const stamp = { v: 1, seq: 4, at: 0, by: { kind: 'model' } }
      const event = Event.parse({ ...reply(3, whole), ...stamp })
      const said = [...frames, { type: 'event' as const, event }].flatMap((frame) => lines(frame))
      expect(said.map((line) => (line.type === 'text' ? line.content : line.type)).join('')).toBe(
        whole,
      )
    }),
  )
})

test('[HTTP72] what the caller supplied is not said back, and its tags are no calls', async () => {
  const server = await startTestServer()
  server.hosts.onThrowAway((host) => {
    host.append(reply(null, 'earlier <shell>rm -rf /</shell>'))
    host.append(endTurn('done'))
  })
  const response = await server.call('/api/agent', { json: prompt })
  expect(await linesOf(response)).toEqual([{ type: 'done' }])
})

test('[HTTP70] a turn that failed ends with one error and done; a fault that was got over is not told', async () => {
  const server = await startTestServer()
  const run = async (...events: FreshEvent[]) => {
    server.hosts.onThrowAway((host) => later(() => events.forEach((event) => host.append(event))))
    return linesOf(await server.call('/api/agent', { json: prompt }))
  }
  const fault: FreshEvent = {
    type: 'error',
    code: 'rate_limited',
    message: '429',
    fatal: false,
    retryAfterMs: 1,
  }
  expect(await run(fault, endTurn('done'))).toEqual([{ type: 'done' }])
  expect(await run(fault, endTurn('failed'))).toEqual([
    { type: 'error', message: '429' },
    { type: 'done' },
  ])
  for (const reason of ['failed', 'aborted', 'context_full'] as const) {
    expect(await run(endTurn(reason))).toEqual([
      { type: 'error', message: expect.any(String) },
      { type: 'done' },
    ])
  }
  for (const reason of ['done', 'step_limit', 'declined'] as const) {
    expect(await run(endTurn(reason))).toEqual([{ type: 'done' }])
  }
})

/** A turn that goes on until the test ends it. */
async function openTurn(server: TestServer): Promise<{ host: ScriptedHost; leave: () => void }> {
  const control = new AbortController()
  const host = new Promise<ScriptedHost>((resolve) => server.hosts.onThrowAway(resolve))
  await server.call('/api/agent', { json: prompt, signal: control.signal })
  return { host: await host, leave: () => control.abort() }
}

test('[HTTP74] when the caller goes away its turn is aborted and its shell ended', async () => {
  const server = await startTestServer()
  const { host, leave } = await openTurn(server)
  await host.followedBy(1)
  leave()
  await server.hosts.shellEnded()
  expect(host.handled.map(({ intent }) => intent)).toEqual([{ type: 'abort' }])
  expect(server.hosts.endedShells).toEqual([host.id])
  expect(host.subscribers()).toBe(0)
})

test('[HTTP70] a reply that is longer than what waits for a caller comes whole to one who reads', async () => {
  const server = await startTestServer({ clientQueueBytes: 100_000 })
  const host = new Promise<ScriptedHost>((resolve) => server.hosts.onThrowAway(resolve))
  const response = server.call('/api/agent', { json: prompt })
  const made = await host
  await made.followedBy(1)
  made.append(startTurn)
  const { seq } = made.append(startStep(1))
  // More than a connection takes at once.
  made.append(reply(seq, 'x'.repeat(20_000_000)))
  made.append(endStep(seq, false))
  made.append(endTurn('done'))
  const text = await (await response).text()
  expect(text.length).toBeGreaterThan(40_000_000)
  expect(text.endsWith('data: {"type":"done"}\n\n')).toBe(true)
})

test('[HTTP74] a caller that stops reading counts as gone, and is told so should it read on', async () => {
  const server = await startTestServer({ clientQueueBytes: 100_000, graceMs: 10_000 })
  const host = new Promise<ScriptedHost>((resolve) => server.hosts.onThrowAway(resolve))
  const socket = connect(server.port, '127.0.0.1')
  socket.pause()
  const body = JSON.stringify(prompt)
  socket.write(
    `POST /api/agent HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const made = await host
  await made.followedBy(1)
  for (let i = 0; i < 1_000 && made.subscribers() === 1; i += 1) {
    const { seq } = made.append(startStep(i + 1))
    made.append(reply(seq, 'x'.repeat(100_000)))
    await new Promise((resume) => setImmediate(resume))
  }
  await server.hosts.shellEnded()
  expect(made.handled.map(({ intent }) => intent)).toEqual([{ type: 'abort' }])
  let read = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    read = (read + text).slice(-1_000)
  })
  socket.resume()
  while (!read.includes('{"type":"done"}')) await once(socket, 'data')
  expect(read).toContain(
    '{"type":"error","message":"the reply was not read, so the turn was stopped"}',
  )
  socket.destroy()
})

test('[HTTP74] at most so many turns run at once; the next gets 503 until one has ended', async () => {
  const server = await startTestServer({ agentSessions: 2 })
  const first = await openTurn(server)
  const second = await openTurn(server)
  const third = await server.call('/api/agent', { json: prompt })
  expect(await errorOf(third)).toEqual([503, 'overloaded'])
  first.leave()
  await server.hosts.shellEnded()
  server.hosts.onThrowAway((host) => later(() => host.append(endTurn('done'))))
  await expect
    .poll(async () => (await server.call('/api/agent', { json: prompt })).status)
    .toBe(200)
  second.leave()
})

test('[HTTP72] the hook’s own fields are ignored, and other ones refused', async () => {
  const server = await startTestServer()
  server.hosts.onThrowAway((host) => later(() => host.append(endTurn('done'))))
  const said = { role: 'user', content: 'go' }
  const send = (message: object) => server.call('/api/agent', { json: { messages: [message] } })
  for (const timestamp of ['2026-11-18T09:00:00Z', 1, null])
    expect((await send({ ...said, id: 'm1', timestamp })).status).toBe(200)
  for (const bad of [
    { ...said, name: 'x' },
    { role: 'robot', content: 'x' },
  ])
    expect(await errorOf(await send(bad))).toEqual([400, 'bad_request'])
})

test('[HTTP74] a turn that breaks is told as an error, and its session ends all the same', async () => {
  const server = await startTestServer()
  const { host, leave } = await openTurn(server)
  host.breakWith(new Error('no disk'))
  leave()
  await server.hosts.shellEnded()
  expect(server.hosts.endedShells).toEqual([host.id])
})
