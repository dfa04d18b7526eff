import { trimEndOf } from '../protocol/trim-end.ts'

/** One whole escape sequence: CSI, a string such as OSC, or a short one. */
const sequence =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-OQ-WYZ\\`-~])/g

/** The start of one that may go on in the next piece; one without an end is not waited for long. */
const unfinished = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]{0,4096}\u001b?|[ -/]*)?$/

/**
 * What a program printed to the shared terminal, for a pipe or a file: no colours, plain line ends.
 * Pieces may be cut anywhere.
 */
export function createPlainOutput(): { write(piece: string): string; end(): string } {
  let sequenceStart = ''
  let returns = ''

  const withoutSequences = (piece: string): string => {
    const text = sequenceStart + piece
    const cut = unfinished.exec(text)?.index ?? text.length
    sequenceStart = text.slice(cut)
    return text.slice(0, cut).replaceAll(sequence, '')
  }
  // The terminal puts a return before every line feed; a return alone redraws a line and stays.
  const withPlainEnds = (piece: string): string => {
    const text = returns + piece
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    const open = trimEndOf(last, '\r')
    returns = last.slice(open.length)
    return [...lines.map((line) => trimEndOf(line, '\r')), open].join('\n')
  }

  return {
    write: (piece) => withPlainEnds(withoutSequences(piece)),
    end: () => returns,
  }
}
