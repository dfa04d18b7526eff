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
/** Possible beginnings of a query, its end still to come. */
const beginnings = new Set(
  Object.keys(answers).flatMap((query) =>
    Array.from(query, (_char, length) => query.slice(0, length)),
  ),
)
const longest = 4
/** All of them have these behind ESC and `[`. */
const thirds = new Set(Object.keys(answers).map((query) => query.charCodeAt(1)))
/** A server that leaves this many open is not answering; a program that asks this many is not waiting. */
const maxOpen = 64

export type QueryAnswerer = ReturnType<typeof createQueryAnswerer>

/**
 * Answers what programs ask of a terminal (device attributes, status, cursor), so that none waits for
 * ever. There is exactly one answerer: this one, unless a server has an emulator. Then it remembers
 * what was asked until the server has dealt with it, and answers in its place if it leaves before.
 */
export function createQueryAnswerer(answer: (bytes: Buffer) => void) {
  let carried: Buffer = Buffer.alloc(0)
  let isAnswering = true
  let open: { end: number; answer: string }[] = []

  function asked(found: { end: number; answer: string }): void {
    if (isAnswering) answer(Buffer.from(found.answer))
    else open = [...open, found].slice(-maxOpen)
  }

  return {
    /** More of the stream; `end` is the offset behind it. */
    feed(piece: Buffer, end: number): void {
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
    /** From here on it answers, or a server does. Queries that are open then are answered at once. */
    answering(on: boolean): void {
      for (const { answer: text } of open) answer(Buffer.from(text))
      open = []
      isAnswering = on
    },
    /** The server has dealt with all that was asked before this offset. */
    dealtWith(offset: number): void {
      open = open.filter(({ end }) => end > offset)
    },
  }
}

function queryAt(bytes: Buffer, at: number): { answer: string; end: number } | 'cut' | null {
  // Most sequences are no query, and their third byte says so; a text is made for the others only.
  const third = bytes[at + 2]
  if (third !== undefined && !thirds.has(third)) return null
  const text = bytes.toString('latin1', at + 1, at + 1 + longest)
  for (let length = 2; length <= text.length; length += 1) {
    const answer = answers[text.slice(0, length)]
    if (answer !== undefined) return { answer, end: at + 1 + length }
  }
  return at + 1 + text.length === bytes.length && beginnings.has(text) ? 'cut' : null
}

/** More than a line of a terminal, with its colours. */
const maxLineBytes = 4096
const lineFeed = 0x0a
/** Colours, modes and titles take no room. */
const unseen = /\x1b(?:\[[\d;<=>?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()]B|[=>78])|\x0f/g

/** Follows whether output stands before the prompt in its line: bash draws a changed line from the first column. */
export function createPartialLine() {
  let at: 'output' | 'prompt' = 'prompt'
  let line: Buffer = Buffer.alloc(0)
  let isPartial = false
  return {
    onText(bytes: Buffer): void {
      const end = bytes.lastIndexOf(lineFeed)
      // A prompt of several lines: text in its first one is not drawn anew.
      if (at === 'prompt') isPartial &&= end < 0
      else {
        const part = bytes.subarray(end + 1).subarray(-maxLineBytes)
        line = end < 0 ? Buffer.concat([line, part]).subarray(-maxLineBytes) : part
      }
    },
    onMark(kind: string): void {
      if (kind === 'C') at = 'output'
      if (kind !== 'A' || at === 'prompt') return
      at = 'prompt'
      isPartial = hasText(line)
      line = Buffer.alloc(0)
    },
    /** A key of ours is pressed: the line that it changes must not be that one. True: it would be. */
    take(): boolean {
      const wasPartial = isPartial
      isPartial = false
      return wasPartial
    },
  }
}

function hasText(line: Buffer): boolean {
  const shown = line.toString('latin1').replaceAll(unseen, '')
  return shown.slice(shown.lastIndexOf('\r') + 1) !== ''
}
