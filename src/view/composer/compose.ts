import { assertNever } from '../../base/assert-never.ts'
import { typedPrompt } from '../../base/text.ts'
import type { SubmitAs } from '../../protocol/http/intent.ts'
import {
  askedOf,
  isPasted,
  kindOf,
  submitAs,
  written,
  type Composed,
  type ComposerEffect,
  type ComposerEvent,
  type Composing,
  type Moment,
} from './composing.ts'
import { localCommand } from './input-kind.ts'
import type { ComposerKey } from './keys.ts'
import {
  accept,
  askFor,
  choose,
  closed,
  completed,
  isSameAsked,
  pick,
  reopened,
  recalled,
  startWalk,
  stepWalk,
} from './offer.ts'

/** A composer's only way from one state to the next. It says which effects are due. */
export function compose(state: Composing, event: ComposerEvent, moment: Moment): Composed {
  const next = fold(state, event, moment)
  const asked = askedOf(next.state)
  if (isSameAsked(asked, next.state.offer.asked)) return next
  return {
    state: askFor(next.state, asked),
    effects: [...next.effects, { type: 'complete', asked }],
  }
}

const only = (state: Composing, ...effects: readonly ComposerEffect[]): Composed => ({
  state,
  effects,
})

function fold(state: Composing, event: ComposerEvent, moment: Moment): Composed {
  switch (event.type) {
    case 'typed':
      return only({ ...reopened(state), text: event.text, cursor: event.cursor, walk: null })
    case 'moved':
      return only({ ...state, cursor: event.cursor })
    case 'pasted':
      // Only a text that is nothing but the paste is meant as one; a paste into a line is a part of it.
      return event.from === 0 && event.to === state.text.length
        ? only({ ...state, pasted: event.text.replaceAll(/\r\n?/g, '\n') })
        : only(state)
    case 'unpasted':
      return only({ ...state, pasted: null })
    case 'key':
      return onKey(state, event, moment)
    case 'picked':
      return only(pick(state, event.item))
    case 'completed':
      return only(completed(state, event.asked, event.found))
    case 'recalled':
      return only(recalled(state, event.walk, event.inputs))
    case 'put':
      return only(put(state, event), { type: 'focus' })
    case 'handed-back':
      return handedBack(state, event)
    case 'taken-back':
      return only(takenBack(state, event), { type: 'focus' })
    case 'said':
      return said(state, event.text, 'auto')
    case 'send':
      return send(state)
    case 'bash-toggled':
      return only(inMode(state, state.mode === 'bash' ? 'chat' : 'bash'), { type: 'focus' })
    case 'search-closed':
      return only({ ...state, isSearching: false })
    default:
      return assertNever(event)
  }
}

interface Selection {
  from: number
  to: number
}

function onKey(
  state: Composing,
  { key, ...selection }: Selection & { key: ComposerKey },
  { isBusy }: Moment,
): Composed {
  switch (key) {
    case 'send':
      return send(state)
    case 'newline':
      return only(newline(state, selection))
    case 'accept':
      return only(accept(state))
    case 'next':
    case 'previous':
      return only(choose(state, key))
    case 'older':
      return startWalk(state)
    case 'newer':
      return only(stepWalk(state, -1))
    case 'search':
      return only({ ...state, isSearching: true })
    case 'escape':
      if (state.offer.shown) return only(closed(state))
      if (isBusy) return only(state, { type: 'stop' })
      return only(state.text === '' ? inMode(state, 'chat') : state)
    case 'interrupt':
      if (state.text !== '') return only(cleared(state))
      return isBusy ? only(state, { type: 'stop' }) : only(inMode(state, 'chat'))
    case 'end':
      return only(inMode(state, 'chat'))
    default:
      return assertNever(key)
  }
}

/** A walk is through the inputs of one mode. */
function inMode(state: Composing, mode: Composing['mode']): Composing {
  return state.mode === mode ? state : { ...state, mode, walk: null }
}

/** The line goes, and is where the first step back leads. */
function cleared(state: Composing): Composing {
  return { ...written(set(state), ''), walk: null }
}

/** A line that is pushed aside is the newest of its kind. */
function set(state: Composing): Composing {
  if (state.text.trim() === '') return state
  return { ...state, cleared: { ...state.cleared, [kindOf(state)]: typedText(state) } }
}

/** A paste that begins like a command stays a text, whatever it is recalled among. */
const typedText = (state: Composing): string =>
  isPasted(state) ? typedPrompt(state.text) : state.text

function newline(state: Composing, { from, to }: Selection): Composing {
  const { text } = state
  const start = text[from - 1] === '\\' ? from - 1 : from
  return written(state, `${text.slice(0, start)}\n${text.slice(to)}`, start + 1)
}

interface Given {
  text: string
  as: SubmitAs
}

function put(state: Composing, { text, as }: Given): Composing {
  const before = state.text === text ? state : set(state)
  const mode = as === 'run' ? 'bash' : 'chat'
  const pasted = as === 'text' ? text : null
  return { ...written(before, text), mode, pasted, walk: null }
}

const isOfItsKind = (state: Composing, { as }: Given) =>
  (as === 'run' ? 'shell' : 'chat') === kindOf(state)

/**
 * Nothing that was being typed is pushed aside by what comes back, and neither becomes the other's
 * kind: a command is never joined to what is said. What has no room waits one step back.
 */
function handedBack(state: Composing, given: Given): Composed {
  if (state.text === '') return only(put(state, given), { type: 'focus' })
  if (isOfItsKind(state, given))
    return only(joined(state, given, `${state.text}\n${given.text}`), { type: 'focus' })
  const kind = given.as === 'run' ? 'shell' : 'chat'
  const text = given.as === 'text' ? typedPrompt(given.text) : given.text
  return only({ ...state, cleared: { ...state.cleared, [kind]: text } })
}

function takenBack(state: Composing, given: Given): Composing {
  return state.text !== '' && isOfItsKind(state, given)
    ? joined(state, given, `${given.text}\n${state.text}`)
    : put(state, given)
}

/** With a paste in it that begins like a command, all of it stays a text. */
function joined(state: Composing, { as }: Given, text: string): Composing {
  const pasted = as === 'text' || isPasted(state) ? text : null
  return { ...written(state, text), pasted, walk: null }
}

function send(state: Composing): Composed {
  const { text, mode } = state
  if (text.trim() === '') return only(state)
  const sent = { ...written(state, ''), pasted: null, walk: null }
  if (mode === 'bash' && /^\s*(exit|quit)\s*$/.test(text)) return only(inMode(sent, 'chat'))
  const as = submitAs(state)
  return mode === 'bash' ? only(sent, { type: 'submit', text, as }) : said(sent, text, as)
}

/** To the session, or to the client itself. */
function said(state: Composing, text: string, as: SubmitAs): Composed {
  const command = as === 'auto' ? localCommand(text) : null
  if (command === null) return only(state, { type: 'submit', text, as })
  const { name, args } = command
  return name === 'bash' ? only(inMode(state, 'bash')) : only(state, { type: 'local', name, args })
}
