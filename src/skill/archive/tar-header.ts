import { BadArchive } from './bad-archive.ts'
import { decodeName } from './decode-name.ts'

export interface TarHeader {
  name: string
  mode: number
  /** Of the data that follows. */
  size: number
  type: string
}

export function readTarHeader(block: Buffer): TarHeader {
  if (readOctal(block, 148, 8) !== sumOf(block)) throw new BadArchive('a header in it is damaged')
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0'
  const name = decodeName(field(block, 0, 100))
  const prefix = isUstar ? decodeName(field(block, 345, 155)) : ''
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    mode: readOctal(block, 100, 8),
    size: readOctal(block, 124, 12),
    type: String.fromCharCode(block[156] ?? 0).replace('\0', '0'),
  }
}

/** Up to the first NUL; what stands behind it is padding. */
function field(block: Buffer, from: number, length: number): Buffer {
  const bytes = block.subarray(from, from + length)
  const end = bytes.indexOf(0)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

function readOctal(block: Buffer, from: number, length: number): number {
  const text = block.toString('latin1', from, from + length)
  const digits = /^ *([0-7]+)[ \0]*$/.exec(text)?.[1]
  if (digits === undefined) throw new BadArchive('a header in it is damaged')
  return Number.parseInt(digits, 8)
}

/** The sum of all bytes, with blanks where it is written itself. */
function sumOf(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
}
