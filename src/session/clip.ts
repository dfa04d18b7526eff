/** A text whose middle may already be gone; `omittedChars` says how much of it. */
export interface Captured {
  head: string
  tail: string
  omittedChars: number
}

export function whole(text: string): Captured {
  return { head: text, tail: '', omittedChars: 0 }
}

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

function headOf(text: string, chars: number): string {
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
