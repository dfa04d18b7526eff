import type { ReplyPart } from '../../protocol/events/message.ts'
import type { Seq } from '../../protocol/events/seq.ts'

/**
 * An id that no other call of the log has, for one whose provider gave none or whose id means nothing to another provider.
 * Nine letters and digits: Mistral takes no other, and everybody takes these.
 */
export function callId(seq: Seq, index: number): string {
  const digits = (number: number, length: number) => number.toString(36).padStart(length, '0')
  return `c${digits(seq, 6)}${digits(index, 2)}`
}

/** An answer names its call: one without an id gets one, and of two with one id the later gets another. */
export function withIds(parts: readonly ReplyPart[], step: Seq): readonly ReplyPart[] {
  const seen = new Set<string>()
  return parts.map((part) => {
    if (part.type !== 'call') return part
    let { id } = part
    // An id that a provider gave twice names nothing; ours is one that everybody takes.
    for (let n = seen.size; id === '' || seen.has(id); n++) id = callId(step, n)
    seen.add(id)
    return id === part.id ? part : { ...part, id }
  })
}
