import { expect, test } from 'vitest'
import { catalogueOf, simulate } from '../../../test/support/simulate.ts'
import type { ApprovalMode } from '../../protocol/events/approval-mode.ts'
import { system } from '../append.ts'
import { due } from '../due.ts'
import { record } from '../record/record.ts'
import type { Report } from '../record/report.ts'
import { decide } from './decide.ts'

const envelope = { at: 1, uuid: '00000000-0000-7000-8000-00000000ffff' }

/** A session whose model has asked for a command: it is asked about, or just being judged. */
async function asking(reply: string, effects: number) {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  for (let at = 0; at < effects; at++)
    await simulation.happen({ type: 'effect', pick: 0, fate: 6, text: at === 0 ? reply : '' })
  const { state } = simulation
  const change = (approval: ApprovalMode, trusted = true) => {
    const body = { type: 'update', approval } as const
    const catalogue = { ...catalogueOf('tags'), trusted }
    return decide(state, { ...envelope, by: { kind: 'user' }, body }, catalogue)
  }
  return { state, change }
}

test('[APP72] Trust this session is refused where the folder is not trusted, and says what to do', async () => {
  const { change } = await asking('Hello.', 0)
  expect(change('trusted-session', false)).toMatchObject({
    ok: false,
    error: { code: 'bad_mode', message: expect.stringContaining('/trust') },
  })
  expect(change('trusted-session')).toMatchObject({ ok: true })
  for (const mode of ['ask-all', 'guarded', 'refuse'] as const)
    expect(change(mode, false)).toMatchObject({ ok: true })
})

test('[APP72] Never run takes back the question that is open and answers the model in words', async () => {
  const { state, change } = await asking('<shell>rm -rf x</shell>', 3)
  expect(state.asks).toHaveLength(1)
  expect(change('refuse')).toMatchObject({
    ok: true,
    value: {
      events: expect.arrayContaining([
        expect.objectContaining({ type: 'elicitation_response', outcome: 'void' }),
        expect.objectContaining({
          type: 'tool_response',
          status: 'denied',
          content: expect.stringContaining('Never run'),
        }),
      ]),
    },
  })
})

test('[APP72] a command that is just being judged is judged anew in the new mode', async () => {
  const { state } = await asking('<shell>ls</shell>', 1)
  const shell = { phase: 'live', generation: 1, cwd: '/project', name: 'bash', pid: 1 } as const
  const inMode = (approval: ApprovalMode) => ({ ...state, shell, approval })
  const keys = (approval: ApprovalMode) => due(inMode(approval)).map(({ key }) => key)
  expect(due(inMode('guarded')).map(({ type }) => type)).toEqual(['judge'])
  expect(keys('ask-all')).not.toEqual(keys('guarded'))
  const [call] = state.calls
  const known = {
    grade: null,
    reasons: [],
    effective: 'ls',
    looks: [],
    names: [],
    offer: null,
    rules: [],
  } as const
  const report: Report = {
    type: 'judged',
    call: call?.request.seq ?? 0,
    verdict: { ...known, decision: 'allow' },
    cwd: '/project',
    stamp: state.stamp,
    terms: 'guarded',
  }
  const told = (approval: ApprovalMode) =>
    record(inMode(approval), { ...envelope, by: system, body: report }, catalogueOf('tags')).map(
      ({ type }) => type,
    )
  expect(told('guarded')).toEqual(['run_start'])
  expect(told('ask-all')).toEqual([])
})
