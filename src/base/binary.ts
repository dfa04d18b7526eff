import { whole, type Captured } from './text.ts'

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
