import type { Event } from '../protocol/event.ts'
import { evolve } from '../log/evolve.ts'
import { adoptedBy } from '../log/open.ts'
import type { SessionState } from '../log/state.ts'
import { system } from '../session/append.ts'
import type { Catalogue } from '../session/catalogue.ts'
import { due } from '../session/due.ts'
import { judge } from '../session/policy/judge.ts'
import { record } from '../session/record.ts'
import type { Judged } from '../session/report.ts'

export interface Settling {
  catalogue(): Catalogue
  uuid(): string
}

/** What an append comes to: its events with those that follow from them at once. */
export interface Settled {
  state: SessionState
  events: readonly Event[]
}

/**
 * Takes every judgement that is due before anything is stored, so that a reply, its call and the
 * start of its run are one append. A judgement touches nothing outside; it may come before the disk.
 */
export function settleJudgements(
  before: SessionState,
  first: readonly Event[],
  { catalogue, uuid }: Settling,
): Settled {
  const events = [...first]
  let state = first.reduce(evolve, before)
  for (let judged = judgementIn(state); judged; judged = judgementIn(state)) {
    const envelope = { at: state.updatedAt, uuid: uuid(), by: system, body: judged }
    const more = record(state, envelope, catalogue())
    if (more.length === 0) break
    events.push(...more)
    state = more.reduce(evolve, state)
  }
  return { state, events }
}

function judgementIn(state: SessionState): Judged | null {
  const effect = due(state).find((candidate) => candidate.type === 'judge')
  if (effect?.type !== 'judge') return null
  const { approval, workspace, shell } = state
  const facts = { approval, workspace, cwd: shell.cwd, adopted: adoptedBy(state) }
  return {
    type: 'judged',
    call: effect.call.seq,
    verdict: judge(effect.command, facts),
    cwd: shell.cwd,
    stamp: effect.stamp,
  }
}
