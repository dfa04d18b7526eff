/** The meaning of a key in the composer; null leaves it to the UI. */
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

/** A key as browsers and terminals tell it. */
export interface Press {
  key: string
  ctrlKey: boolean
  altKey: boolean
  shiftKey: boolean
  metaKey: boolean
}

/** It chooses a character of an input method. Safari ends the choice before it tells of the key: only 229 says so. */
export const isComposed = (event: { isComposing: boolean; keyCode: number }): boolean =>
  event.isComposing || event.keyCode === 229

/** Walks through the modes of approval; F6 leaves the composer the way that this key does elsewhere. */
export const isModeKey = ({ key, shiftKey, ctrlKey, altKey, metaKey }: Press): boolean =>
  key === 'Tab' && shiftKey && !ctrlKey && !altKey && !metaKey

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
