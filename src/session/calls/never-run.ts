import type { OpenCall } from '../../log/state.ts'
import { answerCall, type Append } from '../append.ts'
import { voidAsk } from '../asks.ts'
import { neverRuns } from '../policy/verdict.ts'
import { isHarmless } from './terminal-act.ts'

/** For the mode Never run: answers every waiting command of a model, also one that a person was asked about before. */
export function neverRun(append: Append): void {
  if (append.state.turn === null) return
  for (const call of append.state.calls.filter(isOfModel)) {
    voidAsk(append, call)
    const how = call.request.run === undefined ? 'not sent' : 'not run'
    answerCall(append, call, { status: 'denied', line: `${how}: ${neverRuns}` })
  }
}

function isOfModel({ request: { meta, run, act }, at }: OpenCall): boolean {
  if (meta.isClientInitiated || at.phase === 'running') return false
  return run !== undefined || (act !== undefined && !isHarmless(act))
}
