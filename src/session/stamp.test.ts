import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../protocol/events/event.ts'
import type { RunStart } from '../protocol/events/run.ts'
import { evolve } from '../log/evolve.ts'
import { initialState, type OpenCall, type SessionState } from '../log/state.ts'
import { type Happening, happening, happenings, simulate } from '../../test/support/simulate.ts'
import { factsOf } from './policy/facts-of.ts'
import { judge } from './policy/verdict.ts'
import { plainShell } from '../../test/support/plain-shell.ts'

const numRuns = Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 600)

/** Some that a rule could be for, and a yes for all. */
const manyCalls = '<shell>a b</shell><shell>npm ci</shell><shell>a b</shell><shell>rm x</shell>'

/** Events while the model's command waits for a yes: all that moves the shell, and yeses. */
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
        scope: fc.constantFrom('once' as const, 'reply' as const, 'session' as const),
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
      text: fc.constantFrom(
        'done',
        '<shell>rm -rf x</shell>',
        '<shell>ls</shell><shell>a</shell>',
        manyCalls,
      ),
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

/** After this event "where, and in what state, would a command run now?" may have another answer. */
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

/** The question to which an earlier yes still stood; every run by it before this one had not started. */
function standing(log: readonly Event[], start: RunStart): ReturnType<typeof yesFor> {
  const yes = log[(start.yes ?? 0) - 1]
  const ask = yes?.type === 'elicitation_response' ? log[yes.request - 1] : undefined
  if (ask?.type !== 'elicitation_request' || ask.request !== start.request) return null
  for (const run of log.slice(ask.seq, start.seq - 1))
    if (run.type === 'run_start' && run.request === start.request)
      expect(log.find((end) => end.type === 'run_end' && end.start === run.seq)).toMatchObject({
        outcome: 'not_started',
      })
  return ask
}

function asked(log: readonly Event[], ask: number): number | null {
  const event = log[ask - 1]
  return event?.type === 'elicitation_request' ? event.request : null
}

/** A yes is used at once or not at all: no command of the model's keeps one. */
function isHeldBack({ request, at }: OpenCall): boolean {
  return at.phase === 'allowed' && !request.meta.isClientInitiated && request.run !== undefined
}

/** Model runs that had a yes, and those of them after a move; throws if one ran where it was not judged. */
function checkRuns(log: readonly Event[]) {
  const states = [initialState]
  for (const event of log) states.push(evolve(states.at(-1)!, event))
  let yeses = 0
  for (const event of log) {
    if (event.type !== 'run_start' || event.source !== 'model') continue
    const at = states[event.seq - 1]!
    const ask = standing(log, event) ?? yesFor(log, event)
    const hasMoved =
      ask !== null && log.slice(ask.seq, event.seq - 1).some((each) => moves(each, log))
    if (ask === null && event.yes !== undefined) {
      checkRest(log, event, states)
    } else if (ask === null || (hasMoved && event.yes === undefined)) {
      // Nobody was asked, or it was judged anew after a move: the rule that came with the yes may allow it there.
      const facts = factsOf(at, { home: '/home/me', trusted: true })
      const files = new Map()
      expect(judge(event.command, { ...facts, live: plainShell(), files }).decision).toBe('allow')
    } else {
      yeses += 1
      // After a move it was judged anew, and stands only in a shell that means the same.
      if (hasMoved) {
        expect(log[event.yes! - 1]).toMatchObject({ request: ask.seq, outcome: 'allow' })
        expect(event.command).toBe(ask.command)
      } else expect(event.stamp).toBe(ask.generation)
      expect(placeOf(at)).toEqual(placeOf(states[ask.seq - 1]!))
      expect(event.cwd).toBe(ask.cwd)
    }
    expect(event.stamp).toBe(at.stamp)
  }
  return yeses
}

/** A yes for the rest of a reply counts in that reply, where the shell is as the question showed it, for nothing grave. */
function checkRest(log: readonly Event[], run: RunStart, states: readonly SessionState[]): void {
  const yes = log[run.yes! - 1]
  if (yes?.type !== 'elicitation_response') throw new Error('it names no yes')
  expect(yes).toMatchObject({ outcome: 'allow', scope: 'reply' })
  const stepOf = (call: number | null) => {
    const request = log[(call ?? 0) - 1]
    return request?.type === 'tool_request' ? request.step : null
  }
  expect(stepOf(run.request)).toBe(stepOf(asked(log, yes.request)))
  const at = states[run.seq - 1]!
  expect(placeOf(at)).toEqual(placeOf(states[yes.request - 1]!))
  const facts = factsOf(at, { home: '/home/me', trusted: true })
  const { grade } = judge(run.command, { ...facts, live: plainShell(), files: new Map() })
  expect(grade).not.toBe('destroys')
}

test.each([
  { name: 'any history', histories: happenings, least: 0 },
  { name: 'an ask that is open', histories: aroundAnAsk, least: 100 },
])(
  '[APP60] a model’s command runs only in the shell, and in the state of it, that it was judged in: $name',
  async ({ histories, least }) => {
    let yeses = 0
    await fc.assert(
      fc.asyncProperty(histories, async (list) => {
        const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
        for (const each of list) {
          await simulation.happen(each)
          expect(simulation.state.calls.filter(isHeldBack)).toEqual([])
        }
        yeses += checkRuns(simulation.log)
      }),
      { numRuns },
    )
    expect(yeses).toBeGreaterThan(least)
  },
)
