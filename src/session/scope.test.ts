import { expect, test } from 'vitest'
import type { AskScope } from '../protocol/events/ask.ts'
import type { Event } from '../protocol/events/event.ts'
import type { Answer } from '../protocol/http/intent.ts'
import { limits } from '../protocol/limits.ts'
import { evolve } from '../log/evolve.ts'
import { catalogueOf, simulate, type Simulation } from '../../test/support/simulate.ts'
import { decide } from './decide/decide.ts'

const envelope = {
  at: 1,
  uuid: '00000000-0000-7000-8000-00000000ffff',
  by: { kind: 'user' },
} as const

/** A session whose model has said this, in a shell that is there. */
async function after(reply: string): Promise<Simulation> {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: reply })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  return simulation
}

const all = <T extends Event['type']>({ log }: Simulation, type: T) =>
  log.filter((event): event is Event & { type: T } => event.type === type)

const yes = (scope?: AskScope) =>
  ({ type: 'answer', pick: 0, outcome: 'allow', ...(scope && { scope }) }) as const

/** The run that is under way ends well; the folder of the shell stays. */
const runEnds = { type: 'effect', pick: 0, fate: 9, text: '' } as const

function refusalOf({ state }: Simulation, answer: Omit<Answer, 'type' | 'ask'>) {
  const body = { type: 'answer', ask: state.asks[0]?.ask ?? '', ...answer } as const
  const decided = decide(state, { ...envelope, body }, catalogueOf('tags'))
  return decided.ok ? null : decided.error.code
}

test('[APP71] a scope is refused where it cannot be: with a no, an edit, another question, or without an offer', async () => {
  const offered = await after('<shell>npm ci</shell>')
  expect(offered.state.asks[0]?.offer?.words).toMatch('npm ci')
  for (const scope of ['reply', 'session', 'folder'] as const) {
    expect(refusalOf(offered, { outcome: 'deny', scope })).toBe('bad_scope')
    expect(refusalOf(offered, { outcome: 'allow', scope, command: 'npm i' })).toBe('bad_scope')
    expect(refusalOf(offered, { outcome: 'allow', scope })).toBe(null)
  }
  expect(refusalOf(offered, { outcome: 'deny', scope: 'once' })).toBe(null)
  const grave = await after('<shell>rm -rf x</shell>')
  expect(grave.state.asks[0]).not.toHaveProperty('offer')
  expect(refusalOf(grave, { outcome: 'allow', scope: 'session' })).toBe('bad_scope')
  expect(refusalOf(grave, { outcome: 'allow', scope: 'folder' })).toBe('bad_scope')
  const mention = simulate('tags')
  await mention.happen({ type: 'submit', text: 'see @.env', as: 'auto' })
  expect(refusalOf(mention, { outcome: 'allow', scope: 'reply' })).toBe('bad_scope')
})

test('[APP71] a session has a bounded number of rules', async () => {
  const simulation = await after('<shell>npm ci</shell>')
  const { state } = simulation
  const rule = {
    ...state.asks[0]!.offer!.rule!,
    scope: 'session',
    by: { kind: 'user' },
    at: 1,
  } as const
  const rules = Array.from({ length: limits.sessionRules }, () => ({
    ...rule,
    id: 'rule-0000000a',
  }))
  const body = {
    type: 'answer',
    ask: state.asks[0]!.ask,
    outcome: 'allow',
    scope: 'session',
  } as const
  const full = decide({ ...state, rules }, { ...envelope, body }, catalogueOf('tags'))
  expect(full).toMatchObject({ ok: false, error: { code: 'too_many' } })
})

test('[APP71] a yes for the session is a rule of its log: the same part runs unasked, until it is revoked', async () => {
  const simulation = await after('<shell>npm ci</shell><shell>npm ci</shell><shell>npm ci</shell>')
  await simulation.happen(yes('session'))
  const [rule] = simulation.state.rules
  expect(rule).toMatchObject({ scope: 'session', words: expect.stringContaining('npm ci') })
  expect(all(simulation, 'elicitation_response')).toMatchObject([
    { scope: 'session', rule: { id: rule?.id } },
  ])
  await simulation.happen(runEnds)
  expect(all(simulation, 'run_start').at(-1)).toMatchObject({
    verdict: { rules: [rule?.id] },
  })
  const body = { type: 'update', revoke: rule?.id ?? '' } as const
  const revoked = decide(simulation.state, { ...envelope, body }, catalogueOf('tags'))
  expect(revoked).toMatchObject({ ok: true, value: { events: [{ revoked: rule?.id }] } })
  const unknown = decide(
    simulation.state,
    { ...envelope, body: { type: 'update', revoke: 'rule-ffffffff' } },
    catalogueOf('tags'),
  )
  expect(unknown).toMatchObject({ ok: false, error: { code: 'unknown_rule' } })
})

test('[APP71] a yes for the rest of the reply counts in this state of the shell, never for what is hard to undo', async () => {
  const simulation = await after('<shell>a b</shell><shell>npm ci</shell><shell>rm x</shell>')
  await simulation.happen(yes('reply'))
  await simulation.happen(runEnds)
  expect(all(simulation, 'elicitation_request')).toHaveLength(1)
  const [answer] = all(simulation, 'elicitation_response')
  expect(all(simulation, 'run_start')).toMatchObject([
    { command: 'a b', yes: answer?.seq },
    { command: 'npm ci', yes: answer?.seq },
  ])
  await simulation.happen(runEnds)
  expect(all(simulation, 'elicitation_request')).toMatchObject([{}, { command: 'rm x' }])
})

test('[APP71] no yes for the rest of a reply outlives the server, or a change of the mode', async () => {
  const restarted = await after('<shell>a b</shell><shell>npm ci</shell>')
  await restarted.happen(yes('reply'))
  await restarted.happen({ type: 'crash', holderLives: true, text: '' })
  expect(restarted.state.step?.yes).toBe(undefined)
  const changed = await after('<shell>a b</shell><shell>npm ci</shell>')
  await changed.happen(yes('reply'))
  const body = { type: 'update', approval: 'guarded' } as const
  const decided = decide(changed.state, { ...envelope, body }, catalogueOf('tags'))
  const events = decided.ok ? decided.value.events : []
  expect(events).toMatchObject([{ approval: 'guarded' }])
  expect(changed.state.step?.yes).toBeDefined()
  expect(events.reduce(evolve, changed.state).step?.yes).toBe(undefined)
})

test('[APP60] a yes stands after a person’s command that changed nothing, and not for one that reads a variable', async () => {
  for (const [command, asks] of [
    ['rm -rf x', 1],
    ['rm -rf $x', 2],
  ] as const) {
    const simulation = await after(`<shell>${command}</shell>`)
    await simulation.happen({ type: 'submit', text: '!ls', as: 'auto' })
    await simulation.happen(runEnds)
    await simulation.happen(yes())
    expect(all(simulation, 'elicitation_response')).toMatchObject([
      { outcome: 'allow', moved: true },
    ])
    expect(all(simulation, 'elicitation_request')).toHaveLength(asks)
    expect(all(simulation, 'run_start').filter(({ source }) => source === 'model')).toHaveLength(
      2 - asks,
    )
  }
})
