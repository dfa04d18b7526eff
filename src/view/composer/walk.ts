import { limits } from '../../protocol/limits.ts'
import { kindOf, written, type Composed, type Composing, type Walk } from './composing.ts'

/** One step back; the first one asks for the inputs that begin like what stands there. */
export function startWalk(state: Composing): Composed {
  if (state.walk !== null) return { state: stepWalk(state, 1), effects: [] }
  const kind = kindOf(state)
  const walks = state.walks + 1
  const prefix = prefixOf(state.text)
  const walk: Walk = { draft: state.text, kind, inputs: null, at: -1, steps: [1] }
  const begun = { ...state, walk, walks }
  // No address holds such a line; what was cleared may still begin so.
  if (prefix.length > limits.queryChars) return { state: recalled(begun, walks, []), effects: [] }
  return { state: begun, effects: [{ type: 'recall', walk: walks, kind, prefix }] }
}

const prefixOf = (text: string) => (text.trim() === '' ? '' : text)

/** Steps that are faster than the inputs are taken when these come, one after the other. */
export function stepWalk(state: Composing, by: 1 | -1): Composing {
  const { walk } = state
  if (walk === null) return state
  if (walk.inputs === null) return { ...state, walk: { ...walk, steps: [...walk.steps, by] } }
  const at = walk.at + by
  if (at < -1 || at >= walk.inputs.length) return state
  const text = walk.inputs[at] ?? walk.draft
  return { ...written(state, text), walk: { ...walk, at } }
}

/** Typing, or another walk, may have been faster. */
export function recalled(state: Composing, walks: number, found: readonly string[]): Composing {
  const { walk, cleared } = state
  if (walk === null || walks !== state.walks || walk.inputs !== null) return state
  const prefix = prefixOf(walk.draft)
  const inputs = [cleared[walk.kind], ...found].filter(
    (text) => text !== '' && text !== walk.draft && text.startsWith(prefix),
  )
  const ready: Composing = { ...state, walk: { ...walk, inputs, steps: [] } }
  return walk.steps.reduce(stepWalk, ready)
}
