import type { Completion, CompletionItem } from '../../protocol/http/completion.ts'
import {
  written,
  type Asked,
  type Composing,
  kindOf,
  type Composed,
  type Walk,
} from './composing.ts'
import { limits } from '../../protocol/limits.ts'

/** Completions are offered again. */
export const reopened = (state: Composing): Composing =>
  state.offer.isClosed ? { ...state, offer: { ...state.offer, isClosed: false } } : state

/** Closed by hand, until the next letter. */
export const closed = (state: Composing): Composing => ({
  ...state,
  offer: { ...state.offer, isClosed: true },
})

export function isSameAsked(a: Asked | null, b: Asked | null): boolean {
  if (a === null || b === null) return a === b
  return a.text === b.text && a.cursor === b.cursor && a.as === b.as
}

/** Another question, or none; until its answer comes, the last list stays in sight. */
export function askFor(state: Composing, asked: Asked | null): Composing {
  const isAwaited = asked !== null
  const shown = isAwaited ? state.offer.shown : null
  const offer = { asked, isAwaited, found: null, shown, chosen: -1, isWished: false }
  return { ...state, offer: { ...state.offer, ...offer } }
}

/** The answer of the session, if it is to what is asked now. */
export function completed(state: Composing, asked: Asked, answer: Completion | null): Composing {
  if (!isSameAsked(asked, state.offer.asked)) return state
  const found = answer !== null && answer.items.length > 0 ? answer : null
  const { isWished } = state.offer
  const offer = {
    ...state.offer,
    isAwaited: false,
    found,
    shown: found,
    chosen: -1,
    isWished: false,
  }
  const [first] = found?.items ?? []
  return isWished && first ? pick({ ...state, offer }, first) : { ...state, offer }
}

/** Puts a completion into the line. */
export function pick(state: Composing, { insert }: CompletionItem): Composing {
  const { found } = state.offer
  if (found === null) return state
  const before = state.text.slice(0, found.from) + insert
  return written(state, before + state.text.slice(found.to), before.length)
}

/** Takes the chosen completion, or the first one as soon as it comes. */
export function accept(state: Composing): Composing {
  const { found, chosen } = state.offer
  const item = found?.items[Math.max(0, chosen)]
  return item ? pick(state, item) : { ...state, offer: { ...state.offer, isWished: true } }
}

export function choose(state: Composing, way: 'next' | 'previous'): Composing {
  const { found, chosen } = state.offer
  const count = found?.items.length ?? 1
  const at = way === 'next' ? (chosen + 1) % count : (chosen <= 0 ? count : chosen) - 1
  return { ...state, offer: { ...state.offer, chosen: at } }
}

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
