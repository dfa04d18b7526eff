/** What `seq 1 N` prints on a terminal, addressable by offset without being made as a whole. */
export interface NumberStream {
  bytes: number
  slice(from: number, to: number): string
}

const lineEnd = '\r\n'

/** Numbers with so many digits, and where they start in the stream. */
interface Stretch {
  first: number
  start: number
  lineBytes: number
}

export function numberStream(last: number): NumberStream {
  const stretches: Stretch[] = []
  let bytes = 0
  for (let first = 1; first <= last; first *= 10) {
    const lineBytes = String(first).length + lineEnd.length
    stretches.push({ first, start: bytes, lineBytes })
    bytes += (Math.min(last, first * 10 - 1) - first + 1) * lineBytes
  }

  function slice(from: number, to: number): string {
    const { first, start, lineBytes } = stretches.findLast((stretch) => stretch.start <= from)!
    const line = Math.floor((from - start) / lineBytes)
    const lineStart = start + line * lineBytes
    let text = ''
    for (let n = first + line; text.length < to - lineStart && n <= last; n++) text += n + lineEnd
    return text.slice(from - lineStart, to - lineStart)
  }

  return { bytes, slice }
}
