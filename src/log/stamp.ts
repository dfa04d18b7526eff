import type { ToolRequest } from '../protocol/call.ts'
import type { CallPhase, OpenCall, SessionState } from './state.ts'

/**
 * Where, and in what state, a command would run may be another now. A yes for what was before is over with it: what
 * had one and has not started is judged anew.
 */
export function nextStamp({ stamp, calls }: SessionState): Pick<SessionState, 'stamp' | 'calls'> {
  return { stamp: stamp + 1, calls: calls.some(isBound) ? calls.map(unbound) : calls }
}

/** Input for a program is none: it is on its way already, and what came of it is still told. */
function isBound({ request, at }: OpenCall): boolean {
  return at.phase === 'allowed' && at.stamp !== null && request.run !== undefined
}

function unbound(call: OpenCall): OpenCall {
  const { request, at } = call
  return at.phase === 'allowed' && isBound(call)
    ? { ...call, at: unjudged(request, at.command) }
    : call
}

/** To be judged, as the command that a person has made of it. */
export function unjudged({ run }: ToolRequest, command?: string): CallPhase {
  const isEdited = run !== undefined && command !== undefined && command !== run.command
  return { phase: 'unjudged', edited: isEdited ? command : null }
}
