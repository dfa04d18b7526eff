import { expect, test } from 'vitest'
import type { ToolRequest } from '../protocol/call.ts'
import { due } from './due.ts'
import { simulate } from '../../test/support/simulate.ts'

/** What is asked for a prompt that waits behind a turn and is then said otherwise. */
function askedAfterEdit(text: string, meanwhile: 'read' | 'open'): readonly ToolRequest[] {
  const simulation = simulate('tags')
  simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  simulation.happen({ type: 'submit', text, as: 'auto' })
  const reading = due(simulation.state).findIndex(({ type }) => type === 'command')
  if (meanwhile === 'read')
    simulation.happen({ type: 'effect', pick: reading, fate: 9, text: 'here it is' })
  simulation.happen({ type: 'edit', pick: 0, text: 'the bathroom' })
  const [queued] = simulation.state.queue
  expect(queued).toMatchObject({ text: 'the bathroom' })
  return simulation.log.flatMap((event) =>
    event.type === 'tool_request' && event.prompt === queued?.seq ? [event] : [],
  )
}

test.each(['read', 'open'] as const)(
  '[TYPE26] a queued prompt that is said otherwise keeps its skill: %s',
  (meanwhile) => {
    expect(askedAfterEdit('/tidy the kitchen', meanwhile)).toMatchObject([
      { name: 'activate_skill', skill: 'tidy', args: '/tidy the kitchen' },
    ])
    expect(askedAfterEdit('/git:look here', meanwhile).map(({ run }) => run?.command)).toEqual([
      'pwd',
      'rm -rf x',
    ])
  },
)
