import type { Mark } from '../../../terminal/mark.ts'
import { createPlainText } from '../plain-text.ts'

/** Remembers what the terminal showed since the prompt: bash may name another line than the one that was typed. */
export interface Echo {
  onData(bytes: Buffer): void
  /** The mark, with whether the line that it names was shown. */
  complete(mark: Mark): Mark
}

/** The echo of a line that is compared with the history is not longer. */
const maxBytes = 16 * 1024

export function createEcho(): Echo {
  let pieces: Buffer[] = []
  let bytes = 0
  return {
    onData(piece) {
      if (bytes > maxBytes) return
      pieces.push(piece)
      bytes += piece.length
    },
    complete(mark) {
      if (mark.kind === 'prompt') {
        pieces = []
        bytes = 0
      }
      if (mark.kind !== 'output-start' || mark.typed === null) return mark
      const { typed } = mark
      const isShown = isEchoOf(Buffer.concat(pieces).toString('utf8'), typed.text)
      return { ...mark, typed: { ...typed, isShown } }
    },
  }
}

/** Whether the line on the screen says the same, blanks aside; one that begins with a blank never does. */
function isEchoOf(echo: string, text: string): boolean {
  let shown = ''
  const plain = createPlainText((part) => {
    shown += part
  })
  plain.feed(echo)
  shown += plain.pending()
  return !/^\s/.test(shown) && shown.replaceAll(/\s/g, '') === text.replaceAll(/\s/g, '')
}
