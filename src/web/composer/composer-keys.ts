import type { KeyboardEvent } from 'react'

/** What a key in the composer means; null leaves it to the browser. */
export type ComposerKey =
  | 'send'
  | 'newline'
  | 'accept'
  | 'next'
  | 'previous'
  | 'older'
  | 'newer'
  | 'search'
  | 'escape'
  | 'interrupt'
  | 'end'

export interface KeyPlace {
  /** Completions are on offer; `isChosen` once one of them was walked to. */
  hasList: boolean
  isChosen: boolean
  /** They are being asked for. */
  isAwaited: boolean
  text: string
  from: number
  to: number
  /** On a phone Enter is the only way to a new line. */
  isTouch: boolean
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

export function composerKey(press: Press, place: KeyPlace): ComposerKey | null {
  if (press.ctrlKey && !press.altKey && !press.metaKey) return controlKey(press, place)
  if (press.metaKey) return press.key === 'Enter' ? 'send' : null
  switch (press.key) {
    case 'Enter':
      return enterKey(press, place)
    case 'Tab':
      return (place.hasList || place.isAwaited) && !press.shiftKey ? 'accept' : null
    case 'ArrowDown':
      return downKey(place)
    case 'ArrowUp':
      return place.hasList ? 'previous' : isFirstLine(place) ? 'older' : null
    case 'Escape':
      return 'escape'
    default:
      return null
  }
}

function controlKey({ key }: Press, { text, from, to }: KeyPlace): ComposerKey | null {
  switch (key) {
    case 'Enter':
      return 'send'
    case 'j':
      return 'newline'
    case 'r':
      return 'search'
    case 'd':
      return text === '' ? 'end' : null
    case 'c':
      // With something selected it copies, as everywhere.
      return from === to ? 'interrupt' : null
    default:
      return null
  }
}

function enterKey({ shiftKey, altKey }: Press, place: KeyPlace): ComposerKey | null {
  if (place.hasList && place.isChosen) return 'accept'
  if (shiftKey || place.isTouch) return null
  if (altKey) return 'newline'
  return place.from === place.to && place.text.slice(0, place.from).endsWith('\\')
    ? 'newline'
    : 'send'
}

function downKey(place: KeyPlace): ComposerKey | null {
  if (place.hasList) return 'next'
  return place.text.includes('\n', place.to) ? null : 'newer'
}

const isFirstLine = ({ text, from }: KeyPlace) => !text.slice(0, from).includes('\n')
