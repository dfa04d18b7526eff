import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../protocol/event.ts'
import { evolve } from '../log/evolve.ts'
import { initialState } from '../log/state.ts'
import { happenings, simulate, type Simulation } from '../../test/support/simulate.ts'
import { whole } from './clip.ts'
import { due } from './due.ts'
import { unknownEnd } from './record-run.ts'

/** A session whose model has said this, in a shell that is there. */
function after(reply: string): Simulation {
  const simulation = simulate('tags')
  simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  simulation.happen({ type: 'effect', pick: 0, fate: 3, text: reply })
  simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  return simulation
}

function notStarted({ state, report }: Simulation): void {
  const run = state.runs[0]?.seq ?? 0
  report({ ...unknownEnd, run, outcome: 'not_started', moved: true })
}

const all = <T extends Event['type']>({ log }: Simulation, type: T) =>
  log.filter((event): event is Event & { type: T } => event.type === type)

const yes = (command?: string) =>
  ({ type: 'answer', pick: 0, outcome: 'allow', ...(command && { command }) }) as const

test('[APP65] a run that is not started because the shell had moved is judged anew; the third time it is answered', () => {
  const simulation = after('<shell>ls</shell>')
  for (const starts of [2, 3]) {
    notStarted(simulation)
    expect(all(simulation, 'run_start')).toHaveLength(starts)
    expect(all(simulation, 'tool_response')).toEqual([])
  }
  const stamps = all(simulation, 'run_start').map(({ stamp }) => stamp)
  expect(new Set(stamps).size).toBe(3)
  notStarted(simulation)
  expect(all(simulation, 'run_start')).toHaveLength(3)
  expect(all(simulation, 'tool_response')).toMatchObject([
    { status: 'error', content: expect.stringContaining('the shell changed 3 times in a row') },
  ])
})

test('[APP65] what had a yes is asked anew; what was stopped meanwhile is answered', () => {
  const simulation = after('<shell>rm -rf x</shell>')
  simulation.happen(yes())
  notStarted(simulation)
  expect(all(simulation, 'elicitation_request')).toHaveLength(2)
  simulation.happen(yes())
  simulation.happen({ type: 'abort' })
  notStarted(simulation)
  expect(all(simulation, 'tool_response')).toMatchObject([{ status: 'cancelled' }])
  expect(simulation.state.calls).toEqual([])
})

test('[APP66] an edit is asked about anew even if the policy would let it run', () => {
  const simulation = after('<shell>rm -rf x</shell>')
  simulation.happen({ type: 'submit', text: '!true', as: 'auto' })
  simulation.happen(yes('ls'))
  simulation.happen({ type: 'effect', pick: 1, fate: 3, text: '' })
  expect(all(simulation, 'elicitation_request').map(({ command }) => command)).toEqual([
    'rm -rf x',
    'ls',
  ])
  simulation.happen(yes())
  expect(all(simulation, 'run_start').at(-1)).toMatchObject({ source: 'model', command: 'ls' })
})

test('[APP67] input that was allowed for a program goes to none that came after it', () => {
  const simulation = simulate('tags')
  simulation.happen({ type: 'submit', text: '!cat', as: 'auto' })
  simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  simulation.happen({ type: 'submit', text: 'answer it', as: 'auto' })
  simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '<input>yes</input>' })
  simulation.happen(yes())
  const acts = () => due(simulation.state).filter(({ type }) => type === 'act')
  expect(acts()).toHaveLength(1)
  simulation.report({
    ...unknownEnd,
    run: simulation.state.runs[0]?.seq ?? 0,
    outcome: 'ended',
    exitCode: 0,
  })
  simulation.happen({ type: 'submit', text: '!bash', as: 'auto' })
  expect(simulation.state.runs).toMatchObject([{ command: 'bash' }])
  expect(acts()).toEqual([])
  const call = simulation.state.calls.find(({ request }) => request.act)?.request.seq ?? 0
  const output = whole('')
  simulation.report({ type: 'act-done', call, refused: null, state: 'ended', output })
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

test('[APP69] a yes to a question of an earlier version’s log counts only if the shell has not moved since', () =>
  fc.assert(
    fc.property(happenings, (list) => {
      const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
      for (const each of list) simulation.happen(each)
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
