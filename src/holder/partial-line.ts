/** Keeps on the screen what stands before a prompt in its line: bash draws a changed line from the first column. */
export interface PartialLine {
  onText: (bytes: Buffer) => void
  onMark: (kind: string) => void
  /** A key of ours is pressed: the line that it changes must not be that one. */
  onKey: () => void
}

/** More than a line of a terminal, with its colours. */
const maxLineBytes = 4096
const newLine = Buffer.from('\r\n')
const lineFeed = 0x0a
/** Colours, modes and titles take no room. */
const unseen = /\x1b(?:\[[\d;?]*[A-Za-z]|\][^\x07]*\x07|\(B|[=>])/g

export function createPartialLine(show: (bytes: Buffer) => void): PartialLine {
  let at: 'output' | 'prompt' = 'prompt'
  let line: Buffer = Buffer.alloc(0)
  let isPartial = false

  function onText(bytes: Buffer): void {
    const end = bytes.lastIndexOf(lineFeed)
    // A prompt of several lines: what stands in its first one is not drawn anew.
    if (at === 'prompt') isPartial &&= end < 0
    else {
      const part = bytes.subarray(end + 1).subarray(-maxLineBytes)
      line = end < 0 ? Buffer.concat([line, part]).subarray(-maxLineBytes) : part
    }
  }

  return {
    onText,
    onMark(kind) {
      if (kind === 'C') at = 'output'
      if (kind !== 'A' || at === 'prompt') return
      at = 'prompt'
      isPartial = hasText(line)
      line = Buffer.alloc(0)
    },
    onKey() {
      if (!isPartial) return
      isPartial = false
      show(newLine)
    },
  }
}

function hasText(line: Buffer): boolean {
  const shown = line.toString('latin1').replaceAll(unseen, '')
  return shown.slice(shown.lastIndexOf('\r') + 1) !== ''
}
