import { expect, test } from 'vitest'
import { catalogueOf, simulate } from '../../../test/support/simulate.ts'
import { decide } from './decide.ts'

/** Says yes to what is asked after this prompt and perhaps this reply, but to another command. */
async function editing(prompt: string, reply?: string) {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: prompt, as: 'auto' })
  // The reply comes, a shell starts, and the command is judged.
  for (const text of reply === undefined ? [] : [reply, '', ''])
    if (simulation.state.asks.length === 0)
      await simulation.happen({ type: 'effect', pick: 0, fate: 6, text })
  const { state } = simulation
  return (command: string) => {
    const ask = state.asks[0]?.ask ?? ''
    const body = { type: 'answer', ask, outcome: 'allow', command } as const
    const stamp = { at: 1, uuid: '00000000-0000-7000-8000-00000000ffff' }
    return decide(state, { ...stamp, by: { kind: 'user' }, body }, catalogueOf('tags'))
  }
}

test('[APP5] an edited command is trimmed, and one of blanks is refused', async () => {
  const edit = await editing('clean up', '<shell>rm -rf x</shell>')
  expect(edit('  \n ')).toMatchObject({ ok: false, error: { code: 'empty_input' } })
  expect(edit(' ls\n')).toMatchObject({
    ok: true,
    value: { events: [{ type: 'elicitation_response', command: 'ls' }, { type: 'run_start' }] },
  })
})

test('[APP5] what is not a command cannot be edited: it would go on as it was asked', async () => {
  const edit = await editing('see @.env')
  expect(edit('ls')).toMatchObject({ ok: false, error: { code: 'bad_command' } })
})
