import { type ReplyPart, textOf } from '../../protocol/events/message.ts'
import { noUsage } from '../../log/state.ts'
import type { ReplyDelta } from './model.ts'

/** Puts a reply together from what is streamed: neighbouring pieces of one kind are one part. */
export function createReplyAssembly() {
  const done: ReplyPart[] = []
  let counted = noUsage
  let open: { type: 'text' | 'thinking'; pieces: string[] } | null = null

  function close(opaque?: string): void {
    if (open === null) {
      // A signature on its own belongs to no word; it is kept, and given back, all the same.
      if (opaque !== undefined) done.push({ type: 'text', text: '', opaque })
      return
    }
    const { type, pieces } = open
    done.push({ type, text: pieces.join(''), ...(opaque !== undefined && { opaque }) })
    open = null
  }

  function rethink(opaque: string): void {
    close()
    const others = done.filter((part) => part.type !== 'text')
    done.splice(0, done.length, { type: 'thinking', text: textOf(done), opaque }, ...others)
  }

  return {
    add(delta: Exclude<ReplyDelta, { type: 'end' }>): void {
      if (delta.type === 'usage') {
        counted = delta.usage
        return
      }
      if (delta.type === 'close') return close(delta.opaque)
      if (delta.type === 'was-thought') return rethink(delta.opaque)
      if (delta.type === 'call') {
        close()
        done.push(delta)
        return
      }
      if (open?.type !== delta.type) {
        close()
        open = { type: delta.type, pieces: [] }
      }
      open.pieces.push(delta.text)
    },
    /** The provider's count so far. */
    usage: () => counted,
    parts(): readonly ReplyPart[] {
      close()
      return [...done]
    },
  }
}
