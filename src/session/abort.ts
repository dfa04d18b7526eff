import type { Refusal } from '../protocol/refusal.ts'
import { headCall, isHeld } from '../log/open.ts'
import { advance, endStep, endTurn } from './advance.ts'
import { skipRest } from './answer-call.ts'
import type { Append } from './append.ts'
import { takeBack } from './attach.ts'
import type { Catalogue } from './catalogue.ts'
import { refuse } from './refuse.ts'

/** Ends the turn, and a run of the model’s with it; or takes back what would have begun one. */
export function abort(append: Append, catalogue: Catalogue): Refusal | null {
  const { turn, queue } = append.state
  const held = queue.filter(({ seq }) => isHeld(append.state, seq))
  if (turn === null && held.length === 0) return refuse('no_turn', 'There is no turn to stop.')
  if (turn === null) for (const { seq } of held) takeBack(append, seq)
  else endAborted(append)
  advance(append, catalogue)
  return null
}

function endAborted(append: Append): void {
  skipRest(append, 'cancelled by the user', 'cancelled')
  // A reply or a run that is still under way is closed by its own report, a moment later.
  if (append.state.step?.phase === 'calls' && !headCall(append.state)) endStep(append)
  endTurn(append, 'aborted')
}
