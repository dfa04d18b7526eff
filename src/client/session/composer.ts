import type { Completion } from '../../protocol/http/completion.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { assertNever } from '../../base/assert-never.ts'
import { compose } from '../../view/composer/compose.ts'
import {
  composingOf,
  Draft,
  draftOf,
  type Asked,
  type ComposerEffect,
  type ComposerEvent,
  type Composing,
  type Moment,
} from '../../view/composer/composing.ts'
import { pastInputs, type InputHelp } from '../input.ts'
import { readJson, type Keep } from '../keep.ts'
import { createStore, type Store } from '../store.ts'

/** A session's composer: the state to draw, and the one way to change it. */
export interface Composer extends Store<Composing> {
  dispatch(event: ComposerEvent): void
  close(): void
}

type EffectOf<Type extends ComposerEffect['type']> = Extract<ComposerEffect, { type: Type }>

export interface ComposerDeps {
  session: SessionId
  help: Pick<InputHelp, 'complete' | 'history'>
  keep: Keep
  moment: () => Moment
  submit: (input: Omit<EffectOf<'submit'>, 'type'>) => void
  local: (command: Omit<EffectOf<'local'>, 'type'>) => void
  stop: () => void
  focus: () => void
  /** A program runs that could ask for a secret: what is typed now is not kept at once. */
  isExposed: () => boolean
}

/** So long after a key it is known whether a program read a secret when it was pressed. */
export const exposedMs = 2_000

/** A pause in typing; a question for each letter would only be overtaken by the next. */
const pauseMs = 80

export function createComposer(deps: ComposerDeps): Composer {
  const { session, help, keep } = deps
  const state = createStore(composingOf(readDraft(keep, session)))
  const closing = new AbortController()
  let asking = new AbortController()
  const saver = createSaver(deps, () => draftOf(state.get()))

  function complete(asked: Asked | null): void {
    asking.abort()
    if (asked === null) return
    const { signal } = (asking = new AbortController())
    const tell = (found: Completion | null) => {
      if (!signal.aborted) dispatch({ type: 'completed', asked, found })
    }
    const timer = setTimeout(() => {
      // Completion is a help; without it one types on.
      help.complete(session, { ...asked, signal }).then(tell, () => tell(null))
    }, pauseMs)
    signal.addEventListener('abort', () => clearTimeout(timer))
  }

  function recall({ walk, kind, prefix }: EffectOf<'recall'>): void {
    const search = prefix === '' ? {} : { prefix }
    const told = (inputs: readonly string[]) => dispatch({ type: 'recalled', walk, inputs })
    pastInputs(help, { session, kind, search, signal: closing.signal }).then(
      (found) => told(found.map(({ text }) => text)),
      () => told([]),
    )
  }

  function perform(effect: ComposerEffect): void {
    switch (effect.type) {
      case 'complete':
        return complete(effect.asked)
      case 'recall':
        return recall(effect)
      case 'submit':
        return deps.submit(effect)
      case 'local':
        return deps.local(effect)
      case 'stop':
        return deps.stop()
      case 'focus':
        return deps.focus()
      default:
        return assertNever(effect)
    }
  }

  function dispatch(event: ComposerEvent): void {
    const before = draftOf(state.get())
    const { state: next, effects } = compose(state.get(), event, deps.moment())
    state.set(next)
    const after = draftOf(next)
    if (!isSame(before, after)) saver.save()
    // A line that is left half changed comes back when the session is already closed: it is kept.
    if (!closing.signal.aborted) for (const effect of effects) perform(effect)
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    dispatch,
    close() {
      saver.flush()
      asking.abort()
      closing.abort()
    },
  }
}

/** Keeps the draft: at once, or a while later where it may turn out to be a secret. */
function createSaver({ keep, session, isExposed }: ComposerDeps, draft: () => Draft) {
  let timer: ReturnType<typeof setTimeout> | null = null

  function saveNow(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    keepDraft(keep, session, draft())
  }

  return {
    save(): void {
      // A line that is gone is forgotten at once.
      if (draft().text === '' || !isExposed()) return saveNow()
      if (timer !== null) clearTimeout(timer)
      timer = setTimeout(saveNow, exposedMs)
    },
    flush: () => (timer === null ? undefined : saveNow()),
  }
}

const prefix = 'tandem.draft.'

const noDraft: Draft = { text: '', isPasted: false, mode: 'chat' }

/** The line that was being typed in a session; a paste stays one and a command stays one, also after a restart. */
function readDraft(keep: Keep, session: SessionId): Draft {
  const stored = Draft.safeParse(readJson(keep, prefix + session))
  return stored.success ? stored.data : noDraft
}

function keepDraft(keep: Keep, session: SessionId, draft: Draft): void {
  keep.set(prefix + session, isSame(draft, noDraft) ? null : JSON.stringify(draft))
}

const isSame = (a: Draft, b: Draft) =>
  a.text === b.text && a.isPasted === b.isPasted && a.mode === b.mode
