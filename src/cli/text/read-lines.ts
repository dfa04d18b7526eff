import type { Readable } from 'node:stream'

/** A line that is longer is none that anybody wrote; the rest of it is skipped. */
const maxBytes = 4 * 1024 * 1024

/** The lines of a stream, those that came together at once; the last one needs no end. Null: it was too long. */
export async function* readLines(
  stream: Readable,
  atOnce: number,
): AsyncGenerator<readonly (Buffer | null)[]> {
  let rest: Buffer[] = []
  let length = 0
  let lines: (Buffer | null)[] = []
  const add = (piece: Buffer) => {
    length += piece.length
    if (length <= maxBytes) rest.push(piece)
    else rest = []
  }
  const take = () => {
    lines.push(length > maxBytes ? null : Buffer.concat(rest))
    rest = []
    length = 0
  }
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    let from = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      add(bytes.subarray(from, at))
      take()
      from = at + 1
      if (lines.length < atOnce) continue
      yield lines
      lines = []
    }
    add(bytes.subarray(from))
    if (lines.length > 0) yield lines
    lines = []
  }
  if (length > 0) {
    take()
    yield lines
  }
}
