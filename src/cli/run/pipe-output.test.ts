import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPipeOutput } from './pipe-output.ts'

/** The same bytes as the kernel passes them through a terminal. */
function throughTerminal(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')
}

function throughPipe(bytes: Buffer, cuts: readonly number[]): Buffer {
  const output = createPipeOutput()
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]
  const pieces: Buffer[] = []
  let at = 0
  for (const place of places.sort((a, b) => a - b)) {
    pieces.push(output.write(bytes.subarray(at, place)))
    at = place
  }
  return Buffer.concat([...pieces, output.end()])
}

const plain = fc
  .string({ unit: 'grapheme' })
  .map((text) => Buffer.from(text.replaceAll('\u001b', '')))
const lineEnds = fc.constantFrom('\n', '\r\n', '\r', '\r\r\n').map((text) => Buffer.from(text))
const written = fc.array(fc.oneof(plain, lineEnds)).map((parts) => Buffer.concat(parts))
const anything = fc.array(
  fc.oneof(
    fc.uint8Array().map((part) => Buffer.from(part)),
    lineEnds,
  ),
)

test('[CLI1] text comes out of a pipe as it was written, line ends and all, however it is cut', () =>
  fc.assert(
    fc.property(written, fc.array(fc.nat(200)), (bytes, cuts) => {
      expect(throughPipe(throughTerminal(bytes), cuts)).toEqual(bytes)
    }),
  ))

test('[CLI1] from the first byte on that is no text all comes out as it was written', () =>
  fc.assert(
    fc.property(written, anything, fc.array(fc.nat(400)), (text, parts, cuts) => {
      const bytes = Buffer.concat([text, Buffer.from([0]), ...parts])
      expect(throughPipe(throughTerminal(bytes), cuts)).toEqual(bytes)
      const odd = Buffer.concat([text, Buffer.from([0xff]), ...parts])
      expect(throughPipe(throughTerminal(odd), cuts)).toEqual(odd)
    }),
  ))

test('[CLI1] colours before it are taken out, wherever pieces are cut', () =>
  fc.assert(
    fc.property(written, fc.array(fc.nat(200)), (text, cuts) => {
      const bytes = Buffer.concat([
        Buffer.from('\u001b[1;31mred\u001b[0m '),
        text,
        Buffer.from('\u001b]8;;file:///x\u0007link\u001b]8;;\u0007'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('\u001b[31m'),
      ])
      const shown = Buffer.concat([
        Buffer.from('red '),
        text,
        Buffer.from('link'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('\u001b[31m'),
      ])
      expect(throughPipe(throughTerminal(bytes), cuts)).toEqual(shown)
    }),
  ))
