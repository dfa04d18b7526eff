/** Longest query we know, less its last byte: what may be carried over from the last piece. */
const carryBytes = 4
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

/**
 * Answers what programs ask of a terminal (device attributes, status, cursor), so that none waits for
 * ever while nobody looks. There is exactly one answerer: this one, until a server brings an emulator.
 */
export function createQueryAnswerer(answer: (bytes: Buffer) => void): (bytes: Buffer) => void {
  let carried: Buffer = Buffer.alloc(0)

  return (piece) => {
    const bytes = carried.length > 0 ? Buffer.concat([carried, piece]) : piece
    let rest = bytes.length
    for (let at = bytes.indexOf(esc); at >= 0; at = bytes.indexOf(esc, at + 1)) {
      const match = queryAt(bytes, at)
      if (match === '') rest = Math.min(rest, at)
      else if (match !== null) answer(Buffer.from(match))
    }
    carried = bytes.subarray(rest)
  }
}

/** The answer to the query that begins here; '' when it may be one whose end has not come yet. */
function queryAt(bytes: Buffer, at: number): string | null {
  for (let length = 2; length <= carryBytes; length += 1) {
    const answer = answers[bytes.toString('latin1', at + 1, at + 1 + length)]
    if (at + length < bytes.length && answer !== undefined) return answer
  }
  const left = bytes.toString('latin1', at + 1)
  const cut =
    left.length < carryBytes && Object.keys(answers).some((query) => query.startsWith(left))
  return cut ? '' : null
}
