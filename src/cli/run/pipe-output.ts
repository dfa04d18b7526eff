import { Buffer, isUtf8 } from 'node:buffer'
import { withoutCutEnd } from '../../server/pages/whole-characters.ts'

/** One whole escape sequence as colours, links and titles are made of: CSI, a string such as OSC, a character set. */
const sequence =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()*+][0-9A-Z])/g

/** The start of one that may go on in the next piece; one without an end is not waited for long. */
const unfinished = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]{0,4096}\u001b?|[()*+])?$/
const longestStart = 4_200

/**
 * Restores what a program wrote from what the shared terminal got of it: each line feed without the return that
 * the terminal put before it, and text without its colours. From the first byte on that is no text all
 * stays as it is. Pieces may be cut anywhere.
 */
export function createPipeOutput() {
  // Bytes as characters of the same number: what is searched for is ASCII.
  let last = ''
  let held = ''
  let isText = true

  function withoutReturns(piece: string): string {
    const all = last + piece
    last = all.endsWith('\r') ? '\r' : ''
    return all.slice(0, all.length - last.length).replaceAll('\r\n', '\n')
  }

  function withoutColours(piece: string): string {
    const all = held + piece
    const end = endOfText(Buffer.from(all, 'latin1'))
    held = ''
    if (end !== null) {
      isText = false
      return all.slice(0, end).replaceAll(sequence, '') + all.slice(end)
    }
    const whole = withoutCutEnd(Buffer.from(all, 'latin1')).length
    const near = Math.max(0, whole - longestStart)
    const start = unfinished.exec(all.slice(near, whole))?.index
    const cut = start === undefined ? whole : near + start
    held = all.slice(cut)
    return all.slice(0, cut).replaceAll(sequence, '')
  }

  return {
    write(piece: Uint8Array): Buffer {
      const text = withoutReturns(Buffer.from(piece).toString('latin1'))
      return Buffer.from(isText ? withoutColours(text) : text, 'latin1')
    },
    end: (): Buffer => Buffer.from(held + last, 'latin1'),
  }
}

/** The place where something begins that is no text; null while all of it is. */
function endOfText(bytes: Buffer): number | null {
  const zero = bytes.indexOf(0)
  const part = zero < 0 ? bytes : bytes.subarray(0, zero)
  if (isWhole(part)) return zero < 0 ? null : zero
  let [valid, invalid] = [0, part.length]
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2)
    if (isWhole(part.subarray(0, middle))) valid = middle
    else invalid = middle
  }
  return withoutCutEnd(part.subarray(0, valid)).length
}

const isWhole = (bytes: Buffer) => isUtf8(withoutCutEnd(bytes))

/** A program's output to the shared terminal, for a pipe or a file: no colours, its own line ends. */
export function createPlainOutput(): { write(piece: string): string; end(): string } {
  const output = createPipeOutput()
  return {
    write: (piece) => output.write(Buffer.from(piece)).toString('utf8'),
    end: () => output.end().toString('utf8'),
  }
}
