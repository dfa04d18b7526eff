import type { Event } from '../protocol/event.ts'
import { evolve } from '../log/evolve.ts'
import { adoptedBy } from '../log/open.ts'
import type { SessionState } from '../log/state.ts'
import { system } from '../session/append.ts'
import type { Catalogue } from '../session/catalogue.ts'
import { due, type Effect } from '../session/due.ts'
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
  for (let effect = dueIn(state); effect !== undefined; effect = dueIn(state)) {
    const known = catalogue()
    const body = judgementOf(effect, state, known)
    const envelope = { at: state.updatedAt, uuid: uuid(), by: system, body }
    const more = record(state, envelope, known)
    if (more.length === 0) break
    events.push(...more)
    state = more.reduce(evolve, state)
  }
  return { state, events }
}

type Judgement = Effect & { type: 'judge' }

function dueIn(state: SessionState): Judgement | undefined {
  return due(state).find((effect) => effect.type === 'judge')
}

function judgementOf(
  { call, command, stamp }: Judgement,
  { approval, workspace, shell, ...state }: SessionState,
  { mark }: Catalogue,
): Judged {
  const facts = { approval, workspace, cwd: shell.cwd, adopted: adoptedBy(state) }
  return {
    type: 'judged',
    call: call.seq,
    verdict: judge(command, facts),
    cwd: shell.cwd,
    stamp,
    ...(mark !== null && { mark }),
  }
}
