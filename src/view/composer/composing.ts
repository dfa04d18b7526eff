import { z } from 'zod'
import type { Completion, CompletionItem, InputKind } from '../../protocol/http/completion.ts'
import type { SubmitAs } from '../../protocol/http/intent.ts'
import { limits } from '../../protocol/limits.ts'
import { isCompletable, type LocalCommand } from './input-kind.ts'
import type { ComposerKey, KeyPlace } from './keys.ts'

/** A composer, for every UI: what stands in it, and what is on offer there. */
export interface Composing {
  text: string
  cursor: number
  /** Grows whenever the cursor was set here and not by the person: a UI then puts its own there. */
  placed: number
  mode: Draft['mode']
  /** The paste into an empty composer: as long as it is all that stands there, it is no command. */
  pasted: string | null
  offer: Offer
  /** Null when one does not walk through earlier inputs. */
  walk: Walk | null
  /** How many walks there were; answers that belong to an earlier one are too late. */
  walks: number
  /** The line that was cleared last, by the kind it had: the newest of the earlier inputs. */
  cleared: Readonly<Record<InputKind, string>>
  /** Earlier inputs are being searched. */
  isSearching: boolean
}

/** An input whose completion is wanted. */
export interface Asked {
  text: string
  cursor: number
  as: SubmitAs
}

/** Completions, from the question to the choice. */
export interface Offer {
  /** Closed by hand; the next letter opens it again. */
  isClosed: boolean
  /** Null when there is nothing to complete. */
  asked: Asked | null
  /** The session has not answered yet. */
  isAwaited: boolean
  /** The answer to what is asked; null when there is none, or nothing to offer. */
  found: Completion | null
  /** To be drawn: until the answer comes, what was offered for the letters before. */
  shown: Completion | null
  /** -1 while none was chosen. */
  chosen: number
  /** Tab was faster than the session: the first one is taken when it comes. */
  isWished: boolean
}

/** A walk through earlier inputs, newest first. */
export interface Walk {
  /** The line that was being typed, where one comes back to. */
  draft: string
  kind: InputKind
  /** Null until they have come. */
  inputs: readonly string[] | null
  /** -1: at what was being typed. */
  at: number
  /** Steps that were faster than the inputs. */
  steps: readonly (1 | -1)[]
}

export type ComposerEvent =
  /** The person wrote; this is all of it. */
  | { type: 'typed'; text: string; cursor: number }
  | { type: 'moved'; cursor: number }
  /** A paste over this selection; what it makes of the text comes as typed. */
  | { type: 'pasted'; text: string; from: number; to: number }
  /** It is to be sent as if it had been typed. */
  | { type: 'unpasted' }
  /** A key that means something here, with the selection it was pressed at. */
  | { type: 'key'; key: ComposerKey; from: number; to: number }
  | { type: 'picked'; item: CompletionItem }
  /** The session has answered: null when it could not. */
  | { type: 'completed'; asked: Asked; found: Completion | null }
  | { type: 'recalled'; walk: number; inputs: readonly string[] }
  /** A text that is meant as this, in place of what stands there. */
  | { type: 'put'; text: string; as: SubmitAs }
  /** A text that could not be sent or changed comes back, beside what stands there. */
  | { type: 'handed-back'; text: string; as: SubmitAs }
  /** The same, because the person wants it. */
  | { type: 'taken-back'; text: string; as: SubmitAs }
  /** A whole input from elsewhere, as from a palette; the line stays. */
  | { type: 'said'; text: string }
  | { type: 'send' }
  | { type: 'bash-toggled' }
  | { type: 'search-closed' }

export type ComposerEffect =
  /** Ask the session; a question before it is no longer of interest. Null: nothing is. */
  | { type: 'complete'; asked: Asked | null }
  | { type: 'recall'; walk: number; kind: InputKind; prefix: string }
  | { type: 'submit'; text: string; as: SubmitAs }
  /** A command that the client does itself; `/bash` is done here. */
  | { type: 'local'; name: Exclude<LocalCommand, 'bash'>; args: string }
  | { type: 'stop' }
  /** The person goes on writing. */
  | { type: 'focus' }

export interface Composed {
  state: Composing
  effects: readonly ComposerEffect[]
}

/** The part of the session that a key's meaning depends on. */
export interface Moment {
  /** Something is under way that Esc and Ctrl+C stop. */
  isBusy: boolean
}

const noOffer: Offer = {
  isClosed: false,
  asked: null,
  isAwaited: false,
  found: null,
  shown: null,
  chosen: -1,
  isWished: false,
}

export const Draft = z.object({
  text: z.string(),
  isPasted: z.boolean(),
  mode: z.enum(['chat', 'bash']),
})
export type Draft = z.infer<typeof Draft>

export function composingOf({ text, isPasted, mode }: Draft): Composing {
  return {
    text,
    cursor: text.length,
    placed: 0,
    mode,
    pasted: isPasted ? text : null,
    offer: noOffer,
    walk: null,
    walks: 0,
    cleared: { chat: '', shell: '' },
    isSearching: false,
  }
}

export const draftOf = (state: Composing): Draft => ({
  text: state.text,
  isPasted: isPasted(state),
  mode: state.mode,
})

export const kindOf = ({ mode }: Pick<Composing, 'mode'>): InputKind =>
  mode === 'bash' ? 'shell' : 'chat'

export const isPasted = ({ text, pasted, mode }: Composing): boolean =>
  pasted === text && mode === 'chat' && text !== ''

/** How the line would be submitted. In bash mode one with an exclamation mark says itself what it is. */
export function submitAs(state: Composing): SubmitAs {
  if (state.mode === 'bash') return state.text.trimStart().startsWith('!') ? 'auto' : 'run'
  return isPasted(state) ? 'text' : 'auto'
}

/** The question for completions that is due now; null for prose. */
export function askedOf(state: Composing): Asked | null {
  const { text, cursor, offer } = state
  if (offer.isClosed || text.trim() === '' || text.length > limits.queryChars) return null
  const as = submitAs(state)
  return isCompletable(text.slice(0, cursor), as) ? { text, cursor, as } : null
}

/** The part of the state that a key's meaning depends on. */
export function keyPlace({ text, offer }: Composing): Omit<KeyPlace, 'from' | 'to' | 'isTouch'> {
  const { shown, isAwaited, found, chosen } = offer
  return { hasList: shown !== null, isAwaited, isChosen: found !== null && chosen >= 0, text }
}

/** Another line stands there, with the cursor behind it or at a place of it. */
export function written(state: Composing, text: string, cursor = text.length): Composing {
  return { ...state, text, cursor, placed: state.placed + 1 }
}
