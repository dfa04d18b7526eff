import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import type { CompletionItem } from '../../protocol/completion.ts'
import type { ComposerState } from '../state/composer-state.ts'
import { useStore } from '../state/store.ts'
import { composerKey, type ComposerKey } from './composer-keys.ts'
import { useCompletion } from './use-completion.ts'
import { usePastInputs } from './use-past-inputs.ts'
import { useSubmit } from './use-submit.ts'

interface ComposerOptions {
  composer: ComposerState
  field: RefObject<HTMLTextAreaElement | null>
  /** What Esc and Ctrl+C do while something is under way; null when nothing is. */
  stop: (() => void) | null
}

export const isTouch = matchMedia('(pointer: coarse)').matches

/** What stands in the composer and what its keys do. */
export function useComposer({ composer, field, stop }: ComposerOptions) {
  const text = useStore(composer.text)
  const mode = useStore(composer.mode)
  const [cursor, setCursor] = useState(text.length)
  const [chosen, setChosen] = useState(-1)
  const [isQuiet, setQuiet] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const isPasted = useStore(composer.pasted) === text && mode === 'chat' && text !== ''
  const isRun = mode === 'bash' && !text.trimStart().startsWith('!')
  const as = isRun ? 'run' : isPasted ? 'text' : 'auto'
  const { completion, isAwaited, shown } = useCompletion({ text, cursor, as }, !isQuiet)
  const past = usePastInputs(mode === 'bash' ? 'shell' : 'chat')
  const submit = useSubmit(composer)
  /** Tab was faster than the session: what it is about. */
  const wish = useRef<string | null>(null)
  useEffect(() => {
    setChosen(-1)
    const [first] = completion?.items ?? []
    if (first && wish.current === text) pick(first)
    if (!isAwaited) wish.current = null
    // Only an answer of the session is a reason to.
  }, [completion, isAwaited])

  /** Where the cursor comes to stand once the text is drawn, and before the next key. */
  const place = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (place.current !== null) field.current?.setSelectionRange(place.current, place.current)
    place.current = null
  })

  function write(next: string, at = next.length): void {
    place.current = at
    composer.text.set(next)
    setCursor(at)
  }

  function pick({ insert }: CompletionItem): void {
    if (!completion) return
    const before = text.slice(0, completion.from) + insert
    write(before + text.slice(completion.to), before.length)
  }

  function send(): void {
    if (!submit(text, as)) return
    past.leave()
    composer.pasted.set(null)
  }

  function recall(found: string | null): void {
    if (found !== null) write(found)
  }

  function clear(): void {
    past.cleared(text)
    write('')
  }

  const leaveBash = () => composer.mode.set('chat')
  const count = completion?.items.length ?? 1
  const acts: Record<ComposerKey, () => void> = {
    send,
    newline() {
      const { selectionStart: from = 0, selectionEnd: to = 0 } = field.current ?? {}
      const start = text[from - 1] === '\\' ? from - 1 : from
      write(`${text.slice(0, start)}\n${text.slice(to)}`, start + 1)
    },
    accept() {
      const item = completion?.items[Math.max(0, chosen)]
      if (item) pick(item)
      else wish.current = text
    },
    next: () => setChosen((at) => (at + 1) % count),
    previous: () => setChosen((at) => (at <= 0 ? count : at) - 1),
    older: () => void past.back(text).then(recall),
    newer: () => void past.forth().then(recall),
    search: () => setSearching(true),
    escape() {
      if (shown) setQuiet(true)
      else if (mode === 'bash' && text === '' && !stop) leaveBash()
      else stop?.()
    },
    interrupt() {
      if (text !== '') clear()
      else if (stop) stop()
      else leaveBash()
    },
    end: leaveBash,
  }

  return {
    text,
    mode,
    completion,
    shown,
    chosen,
    isPasted,
    isSearching,
    pick,
    send,
    endSearch: () => setSearching(false),
    /** Sent as if it had been typed. */
    unpaste: () => composer.pasted.set(null),
    onPaste(paste: string) {
      const { selectionStart: from, selectionEnd: to } = field.current ?? {}
      // Only a text that is nothing but the paste is meant as one; a paste into a line is a part of it.
      if (from === 0 && to === text.length) composer.pasted.set(paste.replaceAll(/\r\n?/g, '\n'))
    },
    onText(next: string, at: number) {
      past.leave()
      setQuiet(false)
      setCursor(at)
      composer.text.set(next)
    },
    onCursor: setCursor,
    onKey(event: KeyboardEvent<HTMLTextAreaElement>) {
      if (event.nativeEvent.isComposing) return
      const { selectionStart: from, selectionEnd: to } = event.currentTarget
      const isChosen = completion !== null && chosen >= 0
      const list = { hasList: shown !== null, isAwaited, isChosen }
      const key = composerKey(event, { ...list, text, from, to, isTouch })
      if (key === null) return
      event.preventDefault()
      acts[key]()
    },
  }
}
