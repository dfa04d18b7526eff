import { expect, test } from 'vitest'
import { entryText } from '../cli/entry-text.ts'
import { simulate } from '../../test/support/simulate.ts'
import { viewOf } from './entries.ts'

test('[APP68] a yes that did not count is told as such, and the question that follows as one that is asked again', () => {
  const simulation = simulate('tags')
  simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '<shell>rm -rf x</shell>' })
  simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  const shown = () => {
    const entry = viewOf(simulation.log)
      .entries.chunks.flat()
      .find((each) => each.kind === 'run' && each.source === 'model')
    return { ask: entry?.kind === 'run' ? entry.ask : null, text: entry ? entryText(entry) : '' }
  }
  expect(shown().ask).not.toHaveProperty('isAgain')
  simulation.happen({ type: 'submit', text: '!cd /', as: 'auto' })
  simulation.happen({ type: 'answer', pick: 0, outcome: 'allow' })
  expect(shown().ask?.state).toMatchObject({ phase: 'answered', outcome: 'void', moved: true })
  expect(shown().text).toContain('the shell has changed since it was judged, so it is asked again')
  simulation.happen({ type: 'effect', pick: 1, fate: 5, text: '' })
  expect(shown().ask).toMatchObject({ isAgain: true, cwd: '/elsewhere', state: { phase: 'open' } })
  expect(shown().text).toContain('asked again: the shell has changed since it was judged')
})
