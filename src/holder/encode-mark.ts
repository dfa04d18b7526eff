import type { HeldMark } from '../protocol/holder.ts'
import { markPlaceBytes } from '../protocol/holder-wire.ts'

/** A mark as its frame holds it: where it was, then kind (and level) and fields as the shell wrote them. */
export function encodeMark({ seq, kind, level, fields, offset, time }: HeldMark): Buffer {
  const text = [level === 0 ? kind : `${kind}${level}`, ...fields].join(';')
  const bytes = Buffer.allocUnsafe(markPlaceBytes + Buffer.byteLength(text))
  bytes.writeDoubleBE(seq, 0)
  bytes.writeDoubleBE(offset, 8)
  bytes.writeDoubleBE(time, 16)
  bytes.write(text, markPlaceBytes)
  return bytes
}

/** What a shell says; that one is gone, only the holder does. */
const kinds = new Set<string>(['A', 'B', 'C', 'D', 'H', 'I', 'P'] satisfies HeldMark['kind'][])

export function isMarkKind(kind: string): kind is Exclude<HeldMark['kind'], 'L'> {
  return kinds.has(kind)
}
