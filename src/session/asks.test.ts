import fc from 'fast-check'
import { expect, test } from 'vitest'
import { happenings, simulate } from '../../test/support/simulate.ts'

const numRuns = Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 200)

test('[APP10] no question is ever open in a session that nobody attends', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = simulate('tags', { attended: false })
      for (const happening of list) await simulation.happen(happening)
      expect(simulation.log.filter(({ type }) => type === 'elicitation_request')).toEqual([])
    }),
    { numRuns },
  ))

test('[APP10] a file that would ask is not read where nobody attends: the turn begins, and the model reads why', async () => {
  const simulation = simulate('tags', { attended: false })
  await simulation.happen({ type: 'submit', text: 'see @.env', as: 'auto' })
  expect(simulation.state.turn).not.toBeNull()
  expect(simulation.log.find(({ type }) => type === 'tool_response')).toMatchObject({
    status: 'denied',
    content: expect.stringContaining('not read: it may hold secrets; nobody is here to ask'),
  })
})

test('[APP10] a command that would ask is denied where nobody attends, with the reason, and the rest of its reply is left', async () => {
  const simulation = simulate('tags', { attended: false })
  await simulation.happen({ type: 'submit', text: 'do it', as: 'auto' })
  const text = '<shell>rm -rf x</shell><shell>ls</shell>'
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  const answers = simulation.log.filter((event) => event.type === 'tool_response')
  expect(answers.map(({ status, verdict }) => ({ status, verdict }))).toEqual([
    { status: 'denied', verdict: expect.objectContaining({ decision: 'deny' }) },
    { status: 'skipped' },
  ])
  expect(answers[0]?.content).toMatch(/not run: .*; nobody is here to ask/)
})
