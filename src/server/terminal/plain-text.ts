import { stripColours } from './strip-colours.ts'
import { isTextOnly, isTextOnlyEscape, movingControls } from './text-only.ts'

export interface PlainText {
  /** More terminal output; pieces may be cut anywhere. */
  feed(text: string): void
  /** The line that has no end yet, as it stands. */
  pending(): string
  /** False once the cursor moved or something was erased: then only a terminal knows the final text. */
  isExact(): boolean
}

/** A line longer than this is passed on in parts: a program may never end its line. */
const maxLine = 64 * 1024

/** What needs more than being copied. Newlines do not: they only end the line. */
const special = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string-escape'

/**
 * Terminal output as plain text: escape sequences taken out, and each line as it finally stood, so
 * that a progress bar is its last state. `emit` gets whole lines and parts of very long ones.
 */
export function createPlainText(emit: (text: string) => void): PlainText {
  let state: State = 'text'
  let line = ''
  let csi = ''
  let intermediate = ''
  let exact = true
  /** A carriage return came: what is printed next replaces the line. */
  let returned = false

  function print(text: string): void {
    if (text === '') return
    const lastEnd = text.lastIndexOf('\n')
    if (lastEnd < 0) return extend(text)
    const firstEnd = text.indexOf('\n')
    extend(text.slice(0, firstEnd))
    emit(`${line}\n`)
    line = ''
    returned = false
    if (lastEnd > firstEnd) emit(text.slice(firstEnd + 1, lastEnd + 1))
    extend(text.slice(lastEnd + 1))
  }

  function extend(text: string): void {
    if (text === '') return
    if (returned && line !== '') exact = false
    line = returned ? text : line + text
    returned = false
    while (line.length >= maxLine) {
      emit(line.slice(0, maxLine))
      line = line.slice(maxLine)
    }
  }

  function control(char: string): void {
    if (char === '\x1b') beginEscape()
    else if (char === '\r') returned = true
    else if (movingControls.test(char)) exact = false
    if (char === '\b' && !returned) line = withoutLast(line)
  }

  function beginEscape(): void {
    state = 'escape'
    intermediate = ''
  }

  function endCsi(final: string): void {
    state = 'text'
    // At the end of the text there is nothing left to erase.
    const isIdle = final === 'K' && (csi === '' || csi === '0') && !returned
    if (!isIdle && !isTextOnly(csi, final)) exact = false
    if (final !== 'K') return
    // Erase to the line's end means all of it at its start; `2` means all of it anywhere.
    if (csi === '2' || (returned && (csi === '' || csi === '0'))) {
      line = ''
      returned = false
    }
  }

  /** One character of an escape sequence. ESC starts anew, CAN and SUB give up. */
  function sequence(char: string): void {
    if (char === '\x18' || char === '\x1a') state = 'text'
    else if (state === 'string' || state === 'string-escape') stringPart(char)
    else if (char === '\x1b') beginEscape()
    else if (state === 'csi') csiPart(char)
    else escapePart(char)
  }

  function stringPart(char: string): void {
    if (char === '\x07') state = 'text'
    else if (char === '\x1b') state = 'string-escape'
    else if (state === 'string-escape') {
      beginEscape()
      // ESC \ ends the string; any other ESC ends it too, and begins a sequence.
      escapePart(char)
    }
  }

  function csiPart(char: string): void {
    if (char >= '@' && char <= '~') endCsi(char)
    else if (char >= ' ' && char <= '?') csi = csi.length < 16 ? csi + char : csi
    else if (char < ' ') lineControl(char)
    else state = 'text'
  }

  function escapePart(char: string): void {
    if (char === '[' && state === 'escape') {
      state = 'csi'
      csi = ''
    } else if (']PX^_'.includes(char) && state === 'escape') state = 'string'
    else if (char >= ' ' && char <= '/') {
      state = 'intermediate'
      intermediate += char
    } else if (char < ' ') lineControl(char)
    else {
      state = 'text'
      if (!isTextOnlyEscape(intermediate, char)) exact = false
    }
  }

  /** Controls inside a sequence act at once, as in a terminal. */
  function lineControl(char: string): void {
    if (char === '\n') print('\n')
    else control(char)
  }

  function feed(piece: string): void {
    // What most output has, done at once for all of it: usual line ends, then colours.
    const text = piece.replaceAll('\r\n', '\n')
    const isPlain = state === 'text' && text.includes('\x1b')
    const stripped = isPlain ? stripColours(text, { isAtEnd: !returned }) : null
    if (stripped === null) return scan(text)
    scan(stripped.text)
    scan(stripped.rest)
  }

  function scan(text: string): void {
    let at = 0
    while (at < text.length) {
      if (state !== 'text') {
        sequence(text.charAt(at))
        at += 1
        continue
      }
      special.lastIndex = at
      const next = special.exec(text)?.index ?? text.length
      print(text.slice(at, next))
      if (next < text.length) control(text.charAt(next))
      at = next + 1
    }
  }

  return { feed, pending: () => line, isExact: () => exact }
}

function withoutLast(line: string): string {
  const last = line.charCodeAt(line.length - 1)
  const pair = last >= 0xdc00 && last <= 0xdfff && line.length > 1
  return line.slice(0, pair ? -2 : -1)
}
