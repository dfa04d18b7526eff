import type { Delta } from '../protocol/delta.ts'
import type { Event } from '../protocol/event.ts'
import type { Seq } from '../protocol/seq.ts'
import { createPacedOutput, type PacedOutput } from './paced-output.ts'

/** What is open right now and no event holds yet: replies being written, output being printed. */
export interface Live {
  addText(step: Seq, text: string): Delta
  /** Tells those who watch, at a pace they can follow. */
  addOutput(request: Seq, text: string): void
  /** Tells the last of it at once: the run's end comes next. */
  flushOutput(request: Seq | null): void
  forgetOutput(request: Seq | null): void
  /** The reply so far. */
  text(step: Seq): string
  /** Drops what an event has closed. */
  close(event: Event): void
  /** Everything open, for a client that joins. */
  catchUp(): readonly Delta[]
}

export function createLive(publish: (delta: Delta) => void): Live {
  const replies = new Map<Seq, string>()
  const outputs = new Map<Seq, PacedOutput>()

  function openOutput(request: Seq): PacedOutput {
    const opened = createPacedOutput((output) => publish({ type: 'tool_update', request, output }))
    outputs.set(request, opened)
    return opened
  }

  return {
    addText(step, text) {
      const before = replies.get(step) ?? ''
      replies.set(step, before + text)
      return { type: 'message_delta', step, offset: before.length, text }
    },
    addOutput(request, text) {
      const output = outputs.get(request) ?? openOutput(request)
      output.push(text)
    },
    flushOutput(request) {
      if (request !== null) outputs.get(request)?.flush()
    },
    forgetOutput(request) {
      if (request !== null) outputs.delete(request)
    },
    text: (step) => replies.get(step) ?? '',
    close(event) {
      if (event.type === 'message' && event.role === 'assistant' && event.step !== null)
        replies.delete(event.step)
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
        output: output.newest(),
      }))
      return [...texts, ...updates]
    },
  }
}
