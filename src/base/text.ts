/** A text whose middle may already be gone; `omittedChars` says how much of it. */
export interface Captured {
  head: string
  tail: string
  omittedChars: number
}

export function whole(text: string): Captured {
  return { head: text, tail: '', omittedChars: 0 }
}

export const nothing: Captured = whole('')

/** The smallest cap that still has room for the notice. */
export const smallestClip = 64

/**
 * At most `cap` characters of a text: its head, its tail and, in between, exactly how many were
 * left out. The cause of a failure is often at the head, its summary at the tail.
 */
export function clip({ head, tail, omittedChars }: Captured, cap: number): string {
  const room = Math.max(cap, smallestClip)
  const total = head.length + tail.length + omittedChars
  if (omittedChars === 0 && total <= room) return head + tail
  const budget = room - notice(total).length
  const kept = omittedChars === 0 ? head + tail : null
  const front = headOf(kept ?? head, Math.floor(budget / 2))
  const back = tailOf(kept ?? tail, budget - front.length)
  return front + notice(total - front.length - back.length) + back
}

function notice(chars: number): string {
  return `\n[… ${chars} characters left out …]\n`
}

/** The first characters of a text, none of them cut in half. */
export function headOf(text: string, chars: number): string {
  const cut = text.slice(0, chars)
  return isHigh(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut
}

function tailOf(text: string, chars: number): string {
  const cut = chars === 0 ? '' : text.slice(-chars)
  return isLow(cut.charCodeAt(0)) ? cut.slice(1) : cut
}

// A pair of surrogates is one character; half of one is none.
function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/**
 * A text without these characters at its end. A pattern such as `\n+$` is quadratic in a long run
 * of them.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}

/** The bytes that a text takes when it is stored or sent. */
export function utf8Bytes(text: string): number {
  let bytes = 0
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/** A text in which nothing can be seen: blanks, zero-width and other characters without a shape. */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}

/** A command of blanks and comments only: no shell would do anything with it. */
export function isComment(command: string): boolean {
  return command.split('\n').every((line) => /^\s*(#|$)/.test(line))
}

/**
 * A prompt as one would type it: `\` keeps a `!`, or the name of a command, at its start from meaning
 * anything.
 */
export function typedPrompt(text: string): string {
  return text.replace(/^(\s*)(?=!|\/[^\s/]+(?:\s|$))/, '$1\\')
}

/**
 * Characters that stand in a command without being seen, or make it look like another: controls, direction
 * marks, blanks that are no space, zero-width and tag characters, the blank Braille cell. Line breaks
 * and tabs lay text out.
 */
export const hiddenCharacter =
  /(?![\n\t])\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}|\u2800/gu

/** "\x1b", "\u202e": what stands for it in plain text. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${hexCode(character, 2)}`
  return code > 0xffff ? `\\u{${hexCode(character, 4)}}` : `\\u${hexCode(character, 4)}`
}

/** The number of a character, with at least so many digits. */
export const hexCode = (character: string, digits: number) =>
  (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0')

/** A text in which everything can be seen that is in it. */
export function withoutHidden(text: string): string {
  return text.replaceAll(hiddenCharacter, escapeOf)
}

/** Characters that no text has: undecodable bytes, and controls that a terminal is not told anything by. */
const odd = /[\ufffd\x00-\x06\x10-\x1a\x1c-\x1f\x7f]/g
/** Fewer may be a slip in any text. */
const leastOdd = 8
/** A text in another encoding, or with a damaged line in it, stays far below. */
const oddShare = 0.1

/** Counts, as output comes in, whether it can be text. */
export function createBinaryMeter() {
  let chars = 0
  let odds = 0
  return {
    feed(text: string): void {
      chars += text.length
      odds += text.match(odd)?.length ?? 0
    },
    isBinary: () => odds >= leastOdd && odds > chars * oddShare,
  }
}

/** Binary output by its name and size; lines of text before it are kept. */
export function namedBinary({ head }: Captured, bytes: number): Captured {
  const first = head.search(/[\ufffd\x00-\x08\x0b-\x1f\x7f]/)
  const before = head.slice(0, first < 0 ? head.length : first)
  const lines = before.slice(0, before.lastIndexOf('\n') + 1)
  return whole(
    `${isText(lines) ? lines : ''}binary output, ${bytes.toLocaleString('en-US')} bytes\n`,
  )
}

/** A line or two of random bytes may be letters by chance; no text is that short. */
const isText = (lines: string) => lines.trim().length >= 16
