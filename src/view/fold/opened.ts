import {
  noUsage,
  type OpenCall,
  type OpenStep,
  type OpenTurn,
  type SessionState,
} from '../../log/state.ts'
import { unjudged } from '../../log/open.ts'
import type { ToolRequest } from '../../protocol/events/call.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { SessionView } from '../../protocol/http/session-view.ts'
import { emptyStretch, extendStretch, type Stretch } from './stretch.ts'

/** A session as it is opened: where it stands, and its last events up to there. */
export function openStretch(session: SessionView, events: readonly Event[]): Stretch {
  const first = events[0]?.seq ?? session.seq + 1
  const stretch = events.reduce(extendStretch, emptyStretch(first))
  return { ...stretch, view: { ...stretch.view, state: stateOf(session, stretch.view.state) } }
}

/** The events tell what began in them; the server tells settings, and what is open from before. */
function stateOf(session: SessionView, told: SessionState): SessionState {
  const { shell, open, team, workspace, title, approval, model, createdAt } = session
  return {
    ...told,
    head: session.seq,
    team,
    workspace,
    title,
    approval,
    private: session.private,
    model: told.model ?? model,
    createdAt,
    updatedAt: session.updatedAt,
    shell: shell === null ? told.shell : { phase: 'live', ...shell },
    turn: told.turn ?? (open.turn === null ? null : { ...unseenTurn, seq: open.turn }),
    step: told.step ?? (open.step === null ? null : { ...unseenStep, seq: open.step }),
    calls: open.calls.map((request) => callOf(session, told, request)),
    runs: open.runs,
    levels: open.levels,
    asks: open.asks,
    queue: open.queue,
    meter: session.meter ?? told.meter,
  }
}

/** Begun before the first event at hand: that it is open is all that is known of it. */
const unseenTurn: OpenTurn = {
  seq: 1,
  purpose: null,
  trigger: 1,
  steps: 0,
  usage: noUsage,
  usd: null,
}
const unseenStep: OpenStep = {
  seq: 1,
  turn: 1,
  phase: 'asking',
  hasCalls: false,
  usage: noUsage,
  witness: { prefixBytes: 0, ok: true },
}

function callOf({ open }: SessionView, told: SessionState, request: ToolRequest): OpenCall {
  const known = told.calls.find((call) => call.request.seq === request.seq)
  if (known) return known
  const run = open.runs.find((start) => start.request === request.seq)
  if (run) return { request, at: { phase: 'running', run: run.seq }, moved: 0, hadYes: false }
  const ask = open.asks.find((question) => question.request === request.seq)
  const at = ask ? ({ phase: 'asked', ask: ask.seq } as const) : unjudged(request)
  return { request, at, moved: 0, hadYes: false }
}
