import { expect, test } from 'vitest'
import { createLog } from '../../../test/client/logs.ts'
import { viewOf } from '../fold/entries.ts'
import type { Pending } from './letter.ts'
import { onTheWay } from './rows.ts'

const letter = (text: string, state: Pending['state']): Pending => ({
  key: text,
  session: 'session-1',
  text,
  as: 'auto',
  at: 0,
  after: 1,
  state,
})

test('[WEB16] a text that the log shows is not shown a second time as one on its way', () => {
  const log = createLog()
  log.start()
  const shown = (letters: readonly Pending[]) => {
    const { entries, state } = viewOf(log.events())
    const where = { session: 'session-1', head: state.head, entries, here: 'web' }
    return onTheWay(letters, where).map(({ text }) => text)
  }
  const sending = { phase: 'sending' } as const
  expect(shown([letter('hello', sending)])).toEqual(['hello'])
  log.add({
    type: 'message',
    role: 'user',
    parts: [{ type: 'text', text: 'hello' }],
    inContext: true,
    synthetic: false,
    by: { kind: 'user', client: 'web' },
  })
  // The log was faster than the answer: of two that say the same, one is there.
  expect(shown([letter('hello', sending)])).toEqual([])
  expect(shown([letter('hello', sending), letter('hello', sending)])).toEqual(['hello'])
  expect(shown([letter('other', sending), letter('hello', { phase: 'waiting' })])).toEqual([
    'other',
    'hello',
  ])
  expect(shown([letter('x', { phase: 'accepted', head: 2 })])).toEqual([])
})
