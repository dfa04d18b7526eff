import { expect, test } from 'vitest'
import { Event } from '../../protocol/events/event.ts'
import { createConversation } from './conversation.ts'
import { withAuthors } from './sent-block.ts'

const stamp = (seq: number) => ({ v: 1, seq, at: 0, by: { kind: 'user' } })
const request = (seq: number, name: string, args: string, more: object = {}) => ({
  ...stamp(seq),
  type: 'tool_request',
  meta: { isClientInitiated: true },
  name,
  args,
  index: 0,
  step: null,
  ...more,
})
const response = (seq: number, of: number, content: string) => ({
  ...stamp(seq),
  type: 'tool_response',
  meta: { isClientInitiated: true },
  request: of,
  status: 'done',
  content,
  inContext: true,
})
const epoch = { adapter: 'demo', dialect: 'tags', system: '', tools: [] }

/** As an earlier version left it. */
const log = (renderVersion: number) =>
  [
    { ...stamp(1), type: 'epoch_start', model: 'demo/offline', ...epoch, renderVersion },
    request(2, 'task', '/task create  Fix\nit'),
    response(3, 2, 'T0001 is a new task: Fix it'),
    request(4, 'activate_skill', '/skill tidy', { skill: 'tidy' }),
    response(5, 4, 'Tidy up.'),
    request(6, 'read_file', '@a', { read: { path: 'a', file: '/a', kind: 'file', lines: null } }),
    response(7, 6, '@a (1 line)\nx'),
    {
      ...stamp(8),
      type: 'step_start',
      turn: 1,
      step: 1,
      takes: [3, 5, 7],
      request: { bytes: 0, hash: '', added: [] },
    },
  ].map((event) => Event.parse(event))

function textsOf(renderVersion: number): readonly string[] {
  const conversation = createConversation()
  for (const event of log(renderVersion)) conversation.apply(event)
  const { setup, blocks } = conversation
  if (setup === null) throw new Error('no epoch')
  return blocks.flatMap((block) => {
    const written = withAuthors(block, setup)
    return written.kind === 'taken' ? written.parts.map(({ text }) => text) : []
  })
}

test('[TYPE14] the model reads of a person’s /task or /skill who did it, and by which words', () => {
  expect(textsOf(3)).toEqual([
    '[the user typed: /task create Fix it]\nT0001 is a new task: Fix it',
    '[the user typed: /skill tidy]\nTidy up.',
    '@a (1 line)\nx',
  ])
})

test('[TR13] an epoch of an earlier version is written as it was sent, without that', () => {
  for (const version of [1, 2])
    expect(textsOf(version)).toEqual(['T0001 is a new task: Fix it', 'Tidy up.', '@a (1 line)\nx'])
})
