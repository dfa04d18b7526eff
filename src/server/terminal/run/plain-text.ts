import { isTextOnly, isTextOnlyEscape, movingControls, stripColours } from './escapes.ts'

/** A line longer than this is passed on in parts: a program may never end its line. */
const maxLine = 64 * 1024

/** Characters that need more than being copied. Newlines do not: they only end the line. */
const special = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string-escape'

/**
 * Terminal output as plain text: escape sequences taken out, and each line as it finally stood, so
 * that a progress bar is its last state. `emit` gets whole lines and parts of very long ones.
 */
export function createPlainText(emit: (text: string) => void) {
  const line = createLine(emit)
  const sequence = createSequence(line)

  function scan(text: string): void {
    let at = 0
    while (at < text.length) {
      if (sequence.isOpen()) {
        sequence.take(text.charAt(at))
        at += 1
        continue
      }
      special.lastIndex = at
      const next = special.exec(text)?.index ?? text.length
      line.print(text.slice(at, next))
      if (next < text.length) sequence.control(text.charAt(next))
      at = next + 1
    }
  }

  /** More terminal output; pieces may be cut anywhere. */
  function feed(piece: string): void {
    // Most output has only usual line ends and colours: those are done at once for all of it.
    const text = piece.replaceAll('\r\n', '\n')
    const isPlain = !sequence.isOpen() && text.includes('\x1b')
    const stripped = isPlain ? stripColours(text, { isAtEnd: line.isAtEnd() }) : null
    if (stripped === null) return scan(text)
    scan(stripped.text)
    scan(stripped.rest)
  }

  return { feed, pending: line.pending, isExact: line.isExact }
}

/** The escape sequence that was begun, if there is one. */
function createSequence(line: Line) {
  let state: State = 'text'
  let csi = ''
  let intermediate = ''

  function beginEscape(): void {
    state = 'escape'
    intermediate = ''
  }

  /** Controls inside a sequence act at once, as in a terminal. */
  function control(char: string): void {
    if (char === '\x1b') beginEscape()
    else line.control(char)
  }

  /** Takes a character of an escape sequence. ESC starts anew, CAN and SUB give up. */
  function take(char: string): void {
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
    if (char >= ' ' && char <= '?') csi = csi.length < 16 ? csi + char : csi
    else if (char < ' ') control(char)
    else {
      state = 'text'
      if (char >= '@' && char <= '~') line.csi(csi, char)
    }
  }

  function escapePart(char: string): void {
    if (char === '[' && state === 'escape') {
      state = 'csi'
      csi = ''
    } else if (']PX^_'.includes(char) && state === 'escape') state = 'string'
    else if (char >= ' ' && char <= '/') {
      state = 'intermediate'
      intermediate += char
    } else if (char < ' ') control(char)
    else {
      state = 'text'
      if (!isTextOnlyEscape(intermediate, char)) line.move()
    }
  }

  return { isOpen: () => state !== 'text', take, control }
}

type Line = ReturnType<typeof createLine>

/** The line that has no end yet, and the cursor in it. */
function createLine(emit: (text: string) => void) {
  let line = ''
  let exact = true
  /** A carriage return came: the next text replaces the line. */
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

  return {
    print,
    control(char: string) {
      if (char === '\n') return print(char)
      if (char === '\r') returned = true
      else if (movingControls.test(char)) exact = false
      if (char === '\b' && !returned) line = withoutLast(line)
    },
    csi(parameters: string, final: string) {
      const isToEnd = final === 'K' && (parameters === '' || parameters === '0')
      // At the end of the text there is nothing left to erase.
      if (!(isToEnd && !returned) && !isTextOnly(parameters, final)) exact = false
      // Erase to the line's end means all of it at its start; `2` means all of it anywhere.
      const isWhole = final === 'K' && parameters === '2'
      if (!isWhole && !(isToEnd && returned)) return
      line = ''
      returned = false
    },
    /** The cursor moved, or something was erased. */
    move() {
      exact = false
    },
    isAtEnd: () => !returned,
    /** The line that has no end yet, as it stands. */
    pending: () => line,
    /** False once the cursor moved or something was erased: then only a terminal knows the final text. */
    isExact: () => exact,
  }
}

function withoutLast(line: string): string {
  const last = line.charCodeAt(line.length - 1)
  const pair = last >= 0xdc00 && last <= 0xdfff && line.length > 1
  return line.slice(0, pair ? -2 : -1)
}
