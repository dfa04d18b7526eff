import { expect, test } from 'vitest'
import { entryText } from '../../cli/text/entry-text.ts'
import { simulate } from '../../../test/support/simulate.ts'
import type { Event } from '../../protocol/events/event.ts'
import { statusOf } from '../status.ts'
import { applyEvent, viewOf } from './entries.ts'

test('[APP60] a yes that did not count is told as such, and the question that follows as one that is asked again', async () => {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '<shell>rm -rf x</shell>' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  const shown = () => {
    const entry = viewOf(simulation.log)
      .entries.chunks.flat()
      .find((each) => each.kind === 'run' && each.source === 'model')
    return { ask: entry?.kind === 'run' ? entry.ask : null, text: entry ? entryText(entry) : '' }
  }
  expect(shown().ask).not.toHaveProperty('isAgain')
  await simulation.happen({ type: 'submit', text: '!cd /', as: 'auto' })
  await simulation.happen({ type: 'answer', pick: 0, outcome: 'allow' })
  expect(shown().ask?.state).toMatchObject({ phase: 'answered', outcome: 'void', moved: true })
  expect(shown().text).toContain(
    'The shell has changed since this was judged, so it is asked again',
  )
  await simulation.happen({ type: 'effect', pick: 1, fate: 5, text: '' })
  expect(shown().ask).toMatchObject({ isAgain: true, cwd: '/elsewhere', state: { phase: 'open' } })
  expect(shown().text).toContain('asked again: the shell has changed since it was judged')
})

test('[VIEW7] a question carries its grade, the rule it offers and the commands that wait behind it, and its answer for how much', async () => {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  const text = '<shell>mv a b</shell> <shell>ls</shell> <shell>rm -rf x</shell>'
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  const offer = { words: 'mv with any files' }
  const log = simulation.log.map((event): Event =>
    event.type === 'elicitation_request' ? { ...event, offer, grade: 'changes' } : event,
  )
  const view = viewOf(log)
  const ask = statusOf(view).asks[0]
  expect(ask).toMatchObject({ grade: 'changes', offer, rest: ['ls', 'rm -rf x'] })
  const request = log.findLast((event) => event.type === 'elicitation_request')
  if (request?.type !== 'elicitation_request') throw new Error('nothing was asked')
  const answered = applyEvent(view, {
    v: 1,
    type: 'elicitation_response',
    seq: view.state.head + 1,
    at: request.at,
    by: { kind: 'user' },
    ask: request.ask,
    request: request.seq,
    outcome: 'allow',
    scope: 'session',
  })
  const entry = answered.entries.chunks.flat().find(({ seq }) => seq === request.request)
  expect(entry).toMatchObject({ ask: { offer, state: { outcome: 'allow', scope: 'session' } } })
})
