import type { SessionId } from '../protocol/seq.ts'
import type { SessionView } from '../protocol/session-view.ts'
import { status } from '../log/open.ts'
import type { SessionState } from '../log/state.ts'

/** Where a session stands, for a client that opens it. */
export function viewOf(id: SessionId, state: SessionState): SessionView {
  const { shell } = state
  return {
    id,
    team: state.team,
    workspace: state.workspace,
    title: state.title,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    head: state.head,
    seq: state.head,
    status: status(state),
    approval: state.approval,
    private: state.private,
    model: state.epoch?.model ?? null,
    shell:
      shell.phase === 'live'
        ? { generation: shell.generation, pid: shell.pid, cwd: shell.cwd }
        : null,
    open: {
      turn: state.turn?.seq ?? null,
      step: state.step?.seq ?? null,
      calls: state.calls.map((call) => call.request),
      runs: [...state.runs],
      levels: [...state.levels],
      asks: [...state.asks],
      queue: [...state.queue],
    },
  }
}
