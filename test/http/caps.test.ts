import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { routes } from '../../src/protocol/http/routes.ts'
import { limits } from '../../src/protocol/limits.ts'
import { SkillInfo } from '../../src/protocol/http/skill.ts'
import { skillLimits } from '../../src/protocol/skill-limits.ts'
import { startTestServer } from './support.ts'

const text = (length: number) => 'x'.repeat(length)
const ask = 'ask-00000000-0000-4000-8000-000000000000'
const { send, answer, queue, updateSession, createTask, runShell, agent } = routes
const { complete, history, log, runOutput, runBytes } = routes

/** Each cap of a part of a request: its schema, and a value that has so much of it. */
const capped: readonly (readonly [string, number, z.ZodType, (size: number) => unknown])[] = [
  ['an input', limits.inputChars, send.body, (n) => ({ text: text(n) })],
  ['a queued text', limits.inputChars, queue.body, (n) => ({ seq: 1, text: text(n) })],
  ['a word', limits.wordChars, answer.body, (n) => ({ ask, outcome: 'deny', word: text(n) })],
  [
    'an edited command',
    limits.commandBytes,
    answer.body,
    (n) => ({ ask, outcome: 'allow', command: text(n) }),
  ],
  ['a command', limits.commandBytes, runShell.body, (n) => ({ command: text(n) })],
  ['a title', limits.titleChars, updateSession.body, (n) => ({ title: text(n) })],
  ['a task', limits.titleChars, createTask.body, (n) => ({ title: text(n) })],
  [
    'a message of the stateless route',
    limits.replyChars,
    agent.body,
    (n) => ({ messages: [{ role: 'user', content: text(n) }] }),
  ],
  [
    'a text to complete',
    limits.queryChars,
    complete.query,
    (n) => ({ text: text(n), cursor: '0' }),
  ],
  ['a beginning to look for', limits.queryChars, history.query, (n) => ({ prefix: text(n) })],
  ['letters to look for', limits.queryChars, history.query, (n) => ({ q: text(n) })],
  ['a page of the log', limits.pageEvents, log.query, (n) => ({ limit: String(n) })],
  ['a page of bytes', limits.pageBytes, runBytes.query, (n) => ({ limit: String(n) })],
  ['a page of output', limits.shownBytes, runOutput.query, (n) => ({ limit: String(n) })],
]

test.each(capped)('[HTTP10] %s has a bound, and one more is refused', (_, most, schema, of) => {
  expect(schema.safeParse(of(most)).error?.issues).toBeUndefined()
  expect(schema.safeParse(of(most + 1)).success).toBe(false)
})

/** What comes back until the server hangs up. */
function until(port: number, talk: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let got = ''
    socket.on('data', (data) => (got += data.toString()))
    socket.on('error', () => {}).on('close', () => resolve(got))
    talk(socket)
  })
}

test('[HTTP96] headers, a body and a next request that do not come are not waited for', async () => {
  const server = await startTestServer({ headersMs: 40, requestMs: 80, keepAliveMs: 40 })
  const head = `POST /v1/hello HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n`
  expect(await until(server.port, (socket) => socket.write(head))).toMatch(/^HTTP\/1\.1 408 /)
  const slow = `${head}Content-Length: 500\r\n\r\n{`
  expect(await until(server.port, (socket) => socket.write(slow))).toMatch(/^HTTP\/1\.1 408 /)
  const done = `${head}Content-Length: 2\r\n\r\n{}`
  expect(await until(server.port, (socket) => socket.write(done))).toMatch(/^HTTP\/1\.1 400 /)
})

test('[SKILL8] a skill is told with a name and a description within their bounds', () => {
  const { nameChars, descriptionChars } = skillLimits
  const parts = SkillInfo.shape
  expect(parts.name.safeParse(text(nameChars)).success).toBe(true)
  expect(parts.name.safeParse(text(nameChars + 1)).success).toBe(false)
  expect(parts.description.safeParse(text(descriptionChars)).success).toBe(true)
  expect(parts.description.safeParse(text(descriptionChars + 1)).success).toBe(false)
})
