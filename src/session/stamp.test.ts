import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../protocol/event.ts'
import type { RunStart } from '../protocol/run.ts'
import { evolve } from '../log/evolve.ts'
import { adoptedBy } from '../log/open.ts'
import { initialState, type OpenCall, type SessionState } from '../log/state.ts'
import { type Happening, happening, happenings, simulate } from '../../test/support/simulate.ts'
import { judge } from './policy/judge.ts'

const numRuns = Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 600)

/** What may come while the model's command waits for a yes: all that moves the shell, and yeses. */
const meanwhile: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: happening },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        type: fc.constant('answer' as const),
        pick: fc.nat(3),
        outcome: fc.constant('allow' as const),
        command: fc.constantFrom('ls -la', 'rm x'),
      },
      { requiredKeys: ['type', 'pick', 'outcome'] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('effect' as const),
      pick: fc.nat(5),
      fate: fc.nat(9),
      text: fc.constantFrom('done', '<shell>rm -rf x</shell>', '<shell>ls</shell><shell>a</shell>'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Happening>(
      { type: 'submit', text: '!cd /', as: 'auto' },
      { type: 'submit', text: 'go on', as: 'auto' },
      { type: 'typed', text: 'cd /', what: 'starts' },
      { type: 'typed', text: 'cd /', what: 'ends' },
      { type: 'adopt', deeper: true },
      { type: 'leave', pick: 0 },
      { type: 'shell-dies' },
      { type: 'give' },
      { type: 'crash', holderLives: true, text: '' },
      { type: 'crash', holderLives: false, text: '' },
    ),
  },
)

const asking: readonly Happening[] = [
  { type: 'submit', text: 'do it', as: 'auto' },
  { type: 'effect', pick: 0, fate: 3, text: '<shell>rm -rf x</shell>' },
  { type: 'effect', pick: 0, fate: 3, text: '' },
]

const aroundAnAsk = fc
  .array(meanwhile, { minLength: 1, maxLength: 40, size: 'max' })
  .map((list) => [...asking, ...list])

/** Whatever this event says, "where, and in what state, would a command run now?" may be answered otherwise. */
function moves(event: Event, log: readonly Event[]): boolean {
  const run = event.type === 'run_end' ? log[event.start - 1] : event
  if (run?.type === 'run_start') return run.lane === 'terminal'
  return ['shell_start', 'shell_exit', 'shell_adopt', 'shell_leave'].includes(event.type)
}

function placeOf({ shell, levels, isReplaced }: SessionState) {
  return { shell, levels, isReplaced }
}

/** The question whose yes this run started with; each is for one start. */
function yesFor(
  log: readonly Event[],
  start: RunStart,
): (Event & { type: 'elicitation_request' }) | null {
  const last = log.slice(0, start.seq - 1).findLast((event) => {
    if (event.type === 'run_start') return event.request === start.request
    return event.type === 'elicitation_response' && asked(log, event.request) === start.request
  })
  if (last?.type !== 'elicitation_response' || last.outcome !== 'allow') return null
  const ask = log[last.request - 1]
  return ask?.type === 'elicitation_request' ? ask : null
}

function asked(log: readonly Event[], ask: number): number | null {
  const event = log[ask - 1]
  return event?.type === 'elicitation_request' ? event.request : null
}

/** A yes is used at once or not at all: no command of the model's lies there with one. */
function isHeldBack({ request, at }: OpenCall): boolean {
  return at.phase === 'allowed' && !request.meta.isClientInitiated && request.run !== undefined
}

/** How many of the log's model runs had a yes; throws if one ran where it was not judged. */
function checkRuns(log: readonly Event[]): number {
  const states = [initialState]
  for (const event of log) states.push(evolve(states.at(-1)!, event))
  let yeses = 0
  for (const event of log) {
    if (event.type !== 'run_start' || event.source !== 'model') continue
    const at = states[event.seq - 1]!
    const ask = yesFor(log, event)
    if (ask === null) {
      const { approval, workspace, shell } = at
      const facts = { approval, workspace, cwd: shell.cwd, adopted: adoptedBy(at) }
      expect(judge(event.command, facts).decision).toBe('allow')
    } else {
      yeses += 1
      expect(log.slice(ask.seq, event.seq - 1).filter((each) => moves(each, log))).toEqual([])
      expect(placeOf(at)).toEqual(placeOf(states[ask.seq - 1]!))
      expect(event.cwd).toBe(ask.cwd)
      expect(event.stamp).toBe(ask.generation)
    }
    expect(event.stamp).toBe(at.stamp)
  }
  return yeses
}

test.each([
  { name: 'any history', histories: happenings, least: 0 },
  { name: 'an ask that is open', histories: aroundAnAsk, least: 100 },
])(
  '[APP60] a model’s command runs only in the shell, and in the state of it, that it was judged in: $name',
  ({ histories, least }) => {
    let yeses = 0
    fc.assert(
      fc.property(histories, (list) => {
        const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
        for (const each of list) {
          simulation.happen(each)
          expect(simulation.state.calls.filter(isHeldBack)).toEqual([])
        }
        yeses += checkRuns(simulation.log)
      }),
      { numRuns },
    )
    expect(yeses).toBeGreaterThan(least)
  },
)
