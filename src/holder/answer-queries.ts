const esc = 0x1b

const answers: Readonly<Record<string, string>> = {
  '[c': '\x1b[?62;22c',
  '[0c': '\x1b[?62;22c',
  '[>c': '\x1b[>41;1;0c',
  '[>0c': '\x1b[>41;1;0c',
  '[5n': '\x1b[0n',
  // Without an emulator nobody knows where the cursor is; a wrong place beats a program that waits.
  '[6n': '\x1b[1;1R',
}
/** What may be the beginning of a query, its end still to come. */
const beginnings = new Set(
  Object.keys(answers).flatMap((query) =>
    Array.from(query, (_char, length) => query.slice(0, length)),
  ),
)
const longest = 4
/** A server that leaves this many open is not answering; a program that asks this many is not waiting. */
const maxOpen = 64

export interface QueryAnswerer {
  /** More of the stream; `end` is the offset behind it. */
  feed: (bytes: Buffer, end: number) => void
  /** From here on it answers, or a server does. What is open then is answered at once. */
  answering: (on: boolean) => void
  /** The server has dealt with all that was asked before this offset. */
  dealtWith: (offset: number) => void
}

/**
 * Answers what programs ask of a terminal (device attributes, status, cursor), so that none waits for
 * ever. There is exactly one answerer: this one, unless a server has an emulator. Then it remembers
 * what was asked until the server has dealt with it, and answers in its place if it leaves before.
 */
export function createQueryAnswerer(answer: (bytes: Buffer) => void): QueryAnswerer {
  let carried: Buffer = Buffer.alloc(0)
  let isAnswering = true
  let open: { end: number; answer: string }[] = []

  function asked(found: { end: number; answer: string }): void {
    if (isAnswering) answer(Buffer.from(found.answer))
    else open = [...open, found].slice(-maxOpen)
  }

  return {
    feed(piece, end) {
      const bytes = carried.length > 0 ? Buffer.concat([carried, piece]) : piece
      let rest = bytes.length
      for (let at = bytes.indexOf(esc); at >= 0; at = bytes.indexOf(esc, at + 1)) {
        const query = queryAt(bytes, at)
        if (query === 'cut') rest = at
        else if (query !== null)
          asked({ answer: query.answer, end: end - bytes.length + query.end })
      }
      carried = bytes.subarray(rest)
    },
    answering(on) {
      for (const { answer: text } of open) answer(Buffer.from(text))
      open = []
      isAnswering = on
    },
    dealtWith(offset) {
      open = open.filter(({ end }) => end > offset)
    },
  }
}

function queryAt(bytes: Buffer, at: number): { answer: string; end: number } | 'cut' | null {
  const text = bytes.toString('latin1', at + 1, at + 1 + longest)
  for (let length = 2; length <= text.length; length += 1) {
    const answer = answers[text.slice(0, length)]
    if (answer !== undefined) return { answer, end: at + 1 + length }
  }
  return at + 1 + text.length === bytes.length && beginnings.has(text) ? 'cut' : null
}
