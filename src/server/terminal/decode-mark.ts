import { HeldMark } from '../../protocol/holder.ts'
import { markPlaceBytes } from '../../protocol/holder-wire.ts'

/** By hand: seven of these come with every command. Null for a kind that only a newer holder knows. */
export function decodeMark(payload: Buffer): HeldMark | null {
  if (payload.length <= markPlaceBytes) throw new Error('a mark without a kind is not one of ours')
  const [name = '', ...fields] = payload.toString('utf8', markPlaceBytes).split(';')
  const kind = name.slice(0, 1)
  if (!isKind(kind)) return null
  return {
    level: name.length === 1 ? 0 : Number(name.slice(1)),
    seq: payload.readDoubleBE(0),
    kind,
    fields,
    offset: payload.readDoubleBE(8),
    time: payload.readDoubleBE(16),
  }
}

const kinds = new Set<string>(HeldMark.shape.kind.options)

function isKind(kind: string): kind is HeldMark['kind'] {
  return kinds.has(kind)
}
