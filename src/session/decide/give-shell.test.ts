import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Event } from '../../protocol/events/event.ts'
import { evolve } from '../../log/evolve.ts'
import { terminalRun } from '../../log/open.ts'
import { initialState, type SessionState } from '../../log/state.ts'
import { type Happening, happenings, simulate } from '../../../test/support/simulate.ts'
import { openAppend, system } from '../append.ts'
import { type Given, giveShell, hasShell } from './give-shell.ts'

const numRuns = Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 600)
const stamp = { at: 1, uuid: '00000000-0000-7000-8000-00000000ffff', by: system }
const [from, to] = ['session-1', 'session-2']

/** Whatever happens; then, perhaps, all comes to its end. */
async function stateAfter(list: readonly Happening[], rests: boolean): Promise<SessionState> {
  const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
  for (const happening of list) await simulation.happen(happening)
  if (rests) await simulation.settle()
  return simulation.state
}

const isFree = (state: SessionState) =>
  state.shell.phase === 'live' &&
  [state.turn, state.step, terminalRun(state) ?? null].every((open) => open === null) &&
  [state.asks, state.levels].every((open) => open.length === 0) &&
  state.calls.every(({ request }) => request.run?.lane === 'background')

const give = (state: SessionState, ptyAt: number) =>
  giveShell(state, {
    ...stamp,
    body: { session: from, to, shell: 'bash', integration: 'full', ptyAt },
  })

/** The log of the session that takes it. */
function taker({ news }: Given): readonly Event[] {
  const append = openAppend(initialState, { ...stamp, body: null })
  const { limits } = initialState
  const settings = {
    team: 'default',
    workspace: '/work',
    title: null,
    approval: 'guarded',
  } as const
  append.add({ type: 'session_start', ...settings, limits })
  for (const event of news) append.add(event)
  return append.events
}

test('[MOVE7] in whatever state a session is, its shell is given only at rest, and once; both logs can be stored and agree', async () => {
  let given = 0
  await fc.assert(
    fc.asyncProperty(happenings, fc.boolean(), fc.nat(1_000), async (list, rests, ptyAt) => {
      const state = await stateAfter(list, rests)
      const result = give(state, ptyAt)
      expect(result.ok).toBe(isFree(state))
      if (!result.ok) return
      given += 1
      const left = result.value.events.reduce(evolve, state)
      const log = taker(result.value)
      const taken = log.reduce(evolve, initialState)
      for (const event of [...result.value.events, ...log])
        expect(Event.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
      const { cwd, pid } = state.shell.phase === 'live' ? state.shell : { cwd: '', pid: 0 }
      expect(left.shell).toMatchObject({ phase: 'gone', movedTo: to })
      expect(taken.shell).toMatchObject({ phase: 'live', generation: 1, cwd, pid })
      expect(give(left, ptyAt)).toMatchObject({ ok: false, error: { code: 'taken' } })
      expect(hasShell(left) && hasShell(taken)).toBe(true)
      for (const known of ['hidden', 'private', 'isReplaced', 'isMute', 'lastTyped'] as const)
        expect(taken[known]).toEqual(state[known])
      // Each model is told once.
      expect(left.records.length).toBe(state.records.length + 1)
      expect(taken.records.length).toBe(1)
    }),
    { numRuns },
  )
  expect(given).toBeGreaterThan(0)
})
