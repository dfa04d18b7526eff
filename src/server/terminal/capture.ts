import { createPlainText } from './plain-text.ts'
import type { Captured } from './terminal.ts'

/** Far more than any record of it shows, little enough to keep for every run. In UTF-16 units. */
const headChars = 256 * 1024
const tailChars = 256 * 1024
const partChars = 16 * 1024

export interface Capture {
  feed(text: string): void
  /** This much lies between, and nobody can read it any more. */
  skip(chars: number): void
  /** What there is so far; feeding may go on. */
  result(): Captured
  /** False when only a terminal knows the final text. */
  isExact(): boolean
}

/** A run's output as plain text: its first and its last part, and how much lay between, exactly. */
export function createCapture(): Capture {
  let head = ''
  let tail: string[] = []
  let tailLength = 0
  let dropped = 0
  /** The head's; what was captured before a gap is all of it. */
  let most = headChars

  /** Few large parts: dropping the first one must not cost a copy of many. */
  function append(text: string): void {
    const last = tail.at(-1)
    if (last !== undefined && last.length < partChars) tail[tail.length - 1] = last + text
    else tail.push(text)
    tailLength += text.length
  }

  function add(text: string): void {
    const room = most - head.length
    if (room >= text.length) {
      head += text
      return
    }
    head += text.slice(0, room)
    append(text.slice(room))
    let first = tail[0]
    while (first !== undefined && tailLength - first.length >= tailChars) {
      dropped += first.length
      tailLength -= first.length
      tail = tail.slice(1)
      first = tail[0]
    }
  }

  const plain = createPlainText(add)

  function result(): Captured {
    const end = tail.join('') + (head.length < most ? '' : plain.pending())
    const whole = head.length < most ? head + plain.pending() : head
    const kept = whole.slice(0, most)
    const rest = whole.slice(most) + end
    if (dropped === 0 && rest.length <= tailChars)
      return { head: kept, tail: rest, omittedChars: 0 }
    const cutHead = kept.slice(0, isLead(kept.charCodeAt(kept.length - 1)) ? -1 : undefined)
    let cutTail = rest.slice(-tailChars)
    if (isTrail(cutTail.charCodeAt(0))) cutTail = cutTail.slice(1)
    const all = kept.length + dropped + rest.length
    return { head: cutHead, tail: cutTail, omittedChars: all - cutHead.length - cutTail.length }
  }

  return {
    feed: (text) => plain.feed(text),
    skip(chars) {
      most = head.length
      dropped += chars
    },
    result,
    isExact: () => plain.isExact(),
  }
}

const isLead = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isTrail = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
