interface Resume {
  /** Bytes before the end of the stream that a joiner has to get once more. */
  back: number
  /** Text that puts a joiner's parser where ours is, when those bytes are too many or not safe to send again. */
  opener: string
}

/** Sending this much twice costs nothing; a program that never ends its sequence may send megabytes. */
const maxBytes = 4 * 1024
const esc = 0x1b
/** First byte of the C1 controls in UTF-8, and those that introduce a sequence. */
const c1Lead = 0xc2
const introducers = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f])
const none = new Uint8Array(0)

/**
 * Remembers the sequence or character that has begun and not ended. Until it ends it has changed
 * nothing on the screen, so a snapshot need not wait for an end that may never come.
 */
export function createUnfinished() {
  let tail: Uint8Array = none
  let tooLong = false

  function note(
    bytes: Uint8Array,
    { inSequence, partialCharacter }: { inSequence: boolean; partialCharacter: number },
  ): void {
    const all = tail.length === 0 ? bytes : Buffer.concat([tail, bytes])
    if (!inSequence) {
      tail = partialCharacter === 0 ? none : all.slice(-partialCharacter)
      tooLong = false
      return
    }
    const start = Math.max(lastIntroducer(all), 0)
    tooLong = all.length - start > maxBytes || (tooLong && start === 0)
    tail = all.slice(start, tooLong ? start + 2 : all.length)
  }

  /** Says how to go on after a snapshot; `inString`: control characters have no effect where we are. */
  function resume(inString: boolean): Resume {
    const text = Buffer.from(tail).toString('latin1')
    if (tooLong) return { back: 0, opener: text }
    // Controls inside of it have been obeyed already.
    if (!inString && /[\x00-\x1a\x1c-\x1f]/.test(text))
      return { back: 0, opener: text.replaceAll(/[\x00-\x1a\x1c-\x1f]/g, '') }
    return { back: tail.length, opener: '' }
  }

  /** A snapshot with an opener was restored: this is what has begun. */
  function adopt(opener: string): void {
    tail = Buffer.from(opener, 'latin1')
    tooLong = true
  }

  return { note, resume, adopt }
}

function lastIntroducer(bytes: Uint8Array): number {
  const escape = bytes.lastIndexOf(esc)
  for (let at = bytes.lastIndexOf(c1Lead); at > escape; at = bytes.lastIndexOf(c1Lead, at - 1)) {
    if (introducers.has(bytes[at + 1] ?? 0)) return at
    if (at === 0) break
  }
  return escape
}
