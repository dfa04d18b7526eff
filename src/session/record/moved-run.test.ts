import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whole } from '../../base/text.ts'
import type { Event } from '../../protocol/events/event.ts'
import { evolve } from '../../log/evolve.ts'
import { initialState } from '../../log/state.ts'
import { happenings, simulate, type Simulation } from '../../../test/support/simulate.ts'
import { due } from '../due.ts'
import { unknownEnd } from './run-end.ts'

/** A session whose model has said this, in a shell that is there. */
async function after(reply: string): Promise<Simulation> {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: reply })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  return simulation
}

async function notStarted({ state, report }: Simulation): Promise<void> {
  const run = state.runs[0]?.seq ?? 0
  await report({ ...unknownEnd, run, outcome: 'not_started', moved: true })
}

const all = <T extends Event['type']>({ log }: Simulation, type: T) =>
  log.filter((event): event is Event & { type: T } => event.type === type)

const yes = (command?: string) =>
  ({ type: 'answer', pick: 0, outcome: 'allow', ...(command && { command }) }) as const

test('[APP60] a run that is not started because the shell had moved is judged anew; the third time it is answered', async () => {
  const simulation = await after('<shell>ls</shell>')
  for (const starts of [2, 3]) {
    await notStarted(simulation)
    expect(all(simulation, 'run_start')).toHaveLength(starts)
    expect(all(simulation, 'tool_response')).toEqual([])
  }
  const stamps = all(simulation, 'run_start').map(({ stamp }) => stamp)
  expect(new Set(stamps).size).toBe(3)
  await notStarted(simulation)
  expect(all(simulation, 'run_start')).toHaveLength(3)
  expect(all(simulation, 'tool_response')).toMatchObject([
    { status: 'error', content: expect.stringContaining('the shell changed 3 times in a row') },
  ])
})

test('[APP60] what had a yes runs where it still means the same; what was stopped meanwhile is answered', async () => {
  const simulation = await after('<shell>rm -rf x</shell>')
  await simulation.happen(yes())
  await notStarted(simulation)
  expect(all(simulation, 'elicitation_request')).toHaveLength(1)
  const [answer] = all(simulation, 'elicitation_response')
  expect(all(simulation, 'run_start')).toMatchObject([{ yes: answer?.seq }, { yes: answer?.seq }])
  await simulation.happen({ type: 'abort' })
  await notStarted(simulation)
  expect(all(simulation, 'tool_response')).toMatchObject([{ status: 'cancelled' }])
  expect(simulation.state.calls).toEqual([])
})

test('[APP60] after a yes that did not count the command waits for the person’s own, however long that takes, and is asked about anew', async () => {
  const simulation = await after('<shell>rm -rf x</shell>')
  await simulation.happen({ type: 'submit', text: '!sleep 1000', as: 'auto' })
  await simulation.happen(yes())
  expect(due(simulation.state).map(({ type }) => type)).toEqual(['run'])
  await simulation.report({
    type: 'terminal-busy',
    call: simulation.state.calls[0]?.request.seq ?? 0,
    run: simulation.state.runs[0]?.seq ?? 0,
  })
  expect(all(simulation, 'tool_response')).toEqual([])
  await simulation.happen({ type: 'effect', pick: 0, fate: 5, text: '' })
  expect(all(simulation, 'elicitation_request').at(-1)).toMatchObject({
    command: 'rm -rf x',
    cwd: '/elsewhere',
  })
})

test('[APP5] an edit is asked about anew even if the policy would let it run', async () => {
  const simulation = await after('<shell>rm -rf x</shell>')
  await simulation.happen({ type: 'submit', text: '!true', as: 'auto' })
  await simulation.happen(yes('ls'))
  await simulation.happen({ type: 'effect', pick: 1, fate: 3, text: '' })
  expect(all(simulation, 'elicitation_request').map(({ command }) => command)).toEqual([
    'rm -rf x',
    'ls',
  ])
  await simulation.happen(yes())
  expect(all(simulation, 'run_start').at(-1)).toMatchObject({ source: 'model', command: 'ls' })
})

test('[APP60] input that was allowed for a program goes to none that came after it', async () => {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: '!cat', as: 'auto' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  await simulation.happen({ type: 'submit', text: 'answer it', as: 'auto' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '<input>yes</input>' })
  await simulation.happen(yes())
  const acts = () => due(simulation.state).filter(({ type }) => type === 'act')
  expect(acts()).toHaveLength(1)
  await simulation.report({
    ...unknownEnd,
    run: simulation.state.runs[0]?.seq ?? 0,
    outcome: 'ended',
    exitCode: 0,
  })
  await simulation.happen({ type: 'submit', text: '!bash', as: 'auto' })
  expect(simulation.state.runs).toMatchObject([{ command: 'bash' }])
  expect(acts()).toEqual([])
  const call = simulation.state.calls.find(({ request }) => request.act)?.request.seq ?? 0
  const output = whole('')
  await simulation.report({ type: 'act-done', call, refused: null, state: 'ended', output })
  expect(all(simulation, 'tool_response').at(-1)).toMatchObject({ request: call, status: 'done' })
})

/** As the version before wrote it: less counted as a change, and runs did not say where they started. */
function asBefore(log: readonly Event[]): readonly Event[] {
  let generation = 0
  return log.map((event): Event => {
    const run = event.type === 'run_end' ? log[event.start - 1] : undefined
    if (run?.type === 'run_start' && run.lane === 'terminal') generation += 1
    if (['shell_start', 'shell_adopt', 'shell_leave'].includes(event.type)) generation += 1
    if (event.type === 'elicitation_request') return { ...event, generation }
    if (event.type !== 'run_start') return event
    const { stamp: _, ...start } = event
    return start
  })
}

test('[APP60] a yes to a question of an earlier version’s log counts only if the shell has not moved since', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
      for (const each of list) await simulation.happen(each)
      let now = initialState
      let then = initialState
      asBefore(simulation.log).forEach((event, index) => {
        now = evolve(now, simulation.log[index]!)
        then = evolve(then, event)
        expect(then.stamp).toBe(now.stamp)
        for (const [place, { generation }] of then.asks.entries())
          if (generation === then.stamp) expect(now.asks[place]?.generation).toBe(now.stamp)
      })
    }),
    { numRuns: 300 },
  ))
