import { expect, test } from 'vitest'
import { limits } from '../protocol/limits.ts'
import { catalogueOf, simulate } from '../../test/support/simulate.ts'
import { decide } from './decide/decide.ts'

const stamp = { at: 1, uuid: '00000000-0000-7000-8000-00000000ffff', by: { kind: 'user' } } as const

test('[APP6] of many answered questions the newest are remembered, to tell a late answer who was first', async () => {
  const simulation = simulate('tags')
  const asked: string[] = []
  for (let n = 0; n < limits.answeredAsks + 5; n += 1) {
    await simulation.happen({ type: 'submit', text: 'see @.env', as: 'auto' })
    asked.push(simulation.state.asks[0]?.ask ?? '')
    await simulation.happen({ type: 'answer', pick: 0, outcome: 'deny' })
    await simulation.happen({ type: 'abort' })
  }
  const { state } = simulation
  expect(new Set(asked).size).toBe(asked.length)
  expect(state.answered.map(({ ask }) => ask)).toEqual(asked.slice(-limits.answeredAsks))
})

test('[LOOP2] a script gone wild fills the queue to its bound, and the rest is refused and not stored', async () => {
  const simulation = simulate('tags')
  for (let n = 0; n < limits.queuedInputs + 1; n += 1)
    await simulation.happen({ type: 'submit', text: `more ${n}`, as: 'auto' })
  const { state } = simulation
  expect(state.queue).toHaveLength(limits.queuedInputs)
  const body = { type: 'submit', text: 'one more', as: 'auto' } as const
  expect(decide(state, { ...stamp, body }, catalogueOf('tags'))).toMatchObject({
    ok: false,
    error: { code: 'queue_full' },
  })
})

test.each([
  [`/title ${'x'.repeat(limits.titleChars + 1)}`, 'too_large'],
  [`!${'x'.repeat(limits.commandBytes + 1)}`, 'too_large'],
])('[CMD14] a command with more words than it takes is refused: %#', (text, code) => {
  const { state } = simulate('tags')
  const body = { type: 'submit', text, as: 'auto' } as const
  expect(decide(state, { ...stamp, body }, catalogueOf('tags'))).toMatchObject({
    ok: false,
    error: { code },
  })
})

test('[CMD14] a word with a no has a bound', async () => {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  for (const text of ['<shell>rm -rf x</shell>', '', ''])
    if (simulation.state.asks.length === 0)
      await simulation.happen({ type: 'effect', pick: 0, fate: 6, text })
  const { state } = simulation
  expect(state.asks).toHaveLength(1)
  const deny = (chars: number) => {
    const body = { type: 'submit', text: `/deny ${'x'.repeat(chars)}`, as: 'auto' } as const
    return decide(state, { ...stamp, body }, catalogueOf('tags'))
  }
  expect(deny(limits.wordChars)).toMatchObject({ ok: true })
  expect(deny(limits.wordChars + 1)).toMatchObject({ ok: false, error: { code: 'too_large' } })
})
