import type { Delta } from '../protocol/delta.ts'
import type { Event } from '../protocol/event.ts'
import { limits } from '../protocol/limits.ts'
import type { Seq } from '../protocol/seq.ts'

/** What is open right now and no event holds yet: replies being written, output being printed. */
export interface Live {
  addText(step: Seq, text: string): Delta
  addOutput(request: Seq, text: string): Delta
  /** The reply so far. */
  text(step: Seq): string
  /** Drops what an event has closed. */
  close(event: Event): void
  /** Everything open, for a client that joins. */
  catchUp(): readonly Delta[]
}

export function createLive(): Live {
  const replies = new Map<Seq, string>()
  const outputs = new Map<Seq, { offset: number; text: string }>()

  return {
    addText(step, text) {
      const before = replies.get(step) ?? ''
      replies.set(step, before + text)
      return { type: 'message_delta', step, offset: before.length, text }
    },
    addOutput(request, text) {
      const before = outputs.get(request) ?? { offset: 0, text: '' }
      const end = before.offset + before.text.length
      // A client that joins a flood gets its end; the rest is paged from the byte log.
      const kept = (before.text + text).slice(-limits.shownBytes)
      outputs.set(request, { offset: end + text.length - kept.length, text: kept })
      return { type: 'tool_update', request, output: { offset: end, text } }
    },
    text: (step) => replies.get(step) ?? '',
    close(event) {
      if (event.type === 'message' && event.role === 'assistant' && event.step !== null)
        replies.delete(event.step)
      else if (event.type === 'tool_response') outputs.delete(event.request)
    },
    catchUp() {
      const texts = [...replies].map(([step, text]): Delta => ({
        type: 'message_delta',
        step,
        offset: 0,
        text,
      }))
      const updates = [...outputs].map(([request, output]): Delta => ({
        type: 'tool_update',
        request,
        output,
      }))
      return [...texts, ...updates]
    },
  }
}
