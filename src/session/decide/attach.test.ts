import { expect, test } from 'vitest'
import type { ToolRequest } from '../../protocol/events/call.ts'
import { simulate } from '../../../test/support/simulate.ts'
import { due } from '../due.ts'

/** The calls of a prompt that waits behind a turn and is then edited. */
async function askedAfterEdit(
  text: string,
  meanwhile: 'read' | 'open',
): Promise<readonly ToolRequest[]> {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  await simulation.happen({ type: 'submit', text, as: 'auto' })
  const reading = due(simulation.state).findIndex(({ type }) => type === 'command')
  if (meanwhile === 'read')
    await simulation.happen({ type: 'effect', pick: reading, fate: 9, text: 'here it is' })
  await simulation.happen({ type: 'edit', pick: 0, text: 'the bathroom' })
  const [queued] = simulation.state.queue
  expect(queued).toMatchObject({ text: 'the bathroom' })
  return simulation.log.flatMap((event) =>
    event.type === 'tool_request' && event.prompt === queued?.seq ? [event] : [],
  )
}

test.each(['read', 'open'] as const)(
  '[TYPE18] a queued prompt that is said otherwise keeps its skill: %s',
  async (meanwhile) => {
    expect(await askedAfterEdit('/tidy the kitchen', meanwhile)).toMatchObject([
      { name: 'activate_skill', skill: 'tidy', args: '/tidy the kitchen' },
    ])
    const runs = await askedAfterEdit('/git:look here', meanwhile)
    expect(runs.map(({ run }) => run?.command)).toEqual(['pwd', 'rm -rf x'])
  },
)
