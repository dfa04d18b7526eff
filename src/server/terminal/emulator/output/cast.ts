/** The first line of an asciicast v2 file. */
export interface CastHeader {
  cols: number
  rows: number
  /** The recording's beginning, ms since 1970: time 0 of the file. */
  startMs: number
  title?: string
  shell?: string
}

export type CastItem =
  | { timeMs: number; bytes: Uint8Array }
  | { timeMs: number; cols: number; rows: number }

/**
 * A byte log as an asciicast v2 file, line by line. Characters cut by the log's pieces come whole, and
 * time never goes back: clocks do.
 */
export async function* castLines(
  header: CastHeader,
  items: AsyncIterable<CastItem>,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(headerLine(header))}\n`
  // A byte order mark is output like any other.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let last = 0

  function line(type: 'o' | 'r', text: string): string {
    return `${JSON.stringify([Number(last.toFixed(6)), type, text])}\n`
  }

  for await (const item of items) {
    last = Math.max(last, (item.timeMs - header.startMs) / 1000)
    if ('bytes' in item) {
      const text = decoder.decode(item.bytes, { stream: true })
      if (text !== '') yield line('o', text)
    } else yield line('r', `${item.cols}x${item.rows}`)
  }
  const rest = decoder.decode()
  if (rest !== '') yield line('o', rest)
}

function headerLine({ cols, rows, startMs, title, shell }: CastHeader): object {
  return {
    version: 2,
    width: cols,
    height: rows,
    timestamp: Math.floor(startMs / 1000),
    ...(title === undefined ? {} : { title }),
    env: { TERM: 'xterm-256color', ...(shell === undefined ? {} : { SHELL: shell }) },
  }
}
