import type { Refusal } from '../protocol/refusal.ts'
import { headCall } from '../log/open.ts'
import { advance, endStep, endTurn } from './advance.ts'
import { skipRest } from './answer-call.ts'
import type { Append } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { refuse } from './refuse.ts'

/** Ends the turn; a run of the model’s is stopped with it. */
export function abort(append: Append, catalogue: Catalogue): Refusal | null {
  if (append.state.turn === null) return refuse('no_turn', 'There is no turn to stop.')
  skipRest(append, 'cancelled by the user', 'cancelled')
  // A reply or a run that is still under way is closed by its own report, a moment later.
  if (append.state.step?.phase === 'calls' && !headCall(append.state)) endStep(append)
  endTurn(append, 'aborted')
  advance(append, catalogue)
  return null
}
