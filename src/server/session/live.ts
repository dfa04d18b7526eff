import type { Delta, ThinkingDelta } from '../../protocol/stream/delta.ts'
import type { Event } from '../../protocol/events/event.ts'
import { limits } from '../../protocol/limits.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import type { ThoughtNews } from '../model/thoughts.ts'

/** The open part of a session that no event holds yet: replies being written, output being printed. */
export interface Live {
  addText(step: Seq, text: string): Delta
  addThought(step: Seq, news: ThoughtNews & { attempt: number }): Delta
  /** Tells those who watch, at a pace they can follow. Before the text lie so many units that nobody was told. */
  addOutput(request: Seq, text: string, skipped?: number): void
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
  const thoughts = new Map<Seq, ThinkingDelta>()
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
    addThought(step, { attempt, text, ms }) {
      const before = thoughts.get(step)
      const so = before?.attempt === attempt ? before.text : ''
      const news = {
        type: 'thinking_delta',
        step,
        attempt,
        ...(ms !== undefined && { ms }),
      } as const
      thoughts.set(step, { ...news, offset: 0, text: so + text })
      return { ...news, offset: so.length, text }
    },
    addOutput(request, text, skipped) {
      const output = outputs.get(request) ?? openOutput(request)
      output.push(text, skipped)
    },
    flushOutput(request) {
      if (request !== null) outputs.get(request)?.flush()
    },
    forgetOutput(request) {
      if (request !== null) outputs.delete(request)
    },
    text: (step) => replies.get(step) ?? '',
    close(event) {
      if (event.type !== 'message' || event.role !== 'assistant' || event.step === null) return
      replies.delete(event.step)
      thoughts.delete(event.step)
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
      return [...thoughts.values(), ...texts, ...updates]
    },
  }
}

export interface Output {
  /** Place of the text's first character, in UTF-16 units from the run's first. */
  offset: number
  text: string
}

/** One run's output on its way to those who watch. */
type PacedOutput = ReturnType<typeof createPacedOutput>

/** Nobody sees more than some twenty changes a second. */
const windowMs = 50
/** As much goes out at once in a window: a long listing is whole, and a build is never held up. */
const windowChars = 64 * 1024
/** Only the end of a flood goes out, once a window: several screens of it, at a cost nobody notices. */
const newestChars = 16 * 1024
/** Few large parts: dropping the first one must not cost a copy of many. */
const partChars = 16 * 1024

/**
 * Passes output on as it comes, as long as a person could follow it. Of a flood it passes the newest
 * part at a steady pace; offsets tell what was left out, which the byte log has.
 */
export function createPacedOutput(emit: (output: Output) => void) {
  let parts: string[] = []
  let kept = 0
  let end = 0
  let sent = 0
  let room = windowChars
  let timer: NodeJS.Timeout | null = null

  function keep(text: string): void {
    const last = parts.at(-1)
    if (last !== undefined && last.length < partChars) parts[parts.length - 1] = last + text
    else parts.push(text)
    kept += text.length
    end += text.length
    const first = parts[0] ?? ''
    if (parts.length === 1 || kept - first.length < limits.shownBytes) return
    kept -= first.length
    parts = parts.slice(1)
  }

  /** Text from before a gap does not join what comes behind it. */
  function leave(units: number): void {
    parts = []
    kept = 0
    end += units
  }

  function newest(chars: number): Output {
    const text = parts.join('').slice(-chars)
    return { offset: end - text.length, text }
  }

  function send(): void {
    const missing = end - sent
    const { offset, text } = newest(Math.min(missing, newestChars))
    const skipped = missing > text.length ? lineStart(text) : 0
    sent = end
    emit({ offset: offset + skipped, text: text.slice(skipped) })
  }

  /** As much of new text as there is room for. */
  function sendFirst(text: string): void {
    const isCutPair = room < text.length && isLead(text.charCodeAt(room - 1))
    const part = text.slice(0, isCutPair ? room - 1 : room)
    if (part === '') return
    const offset = sent
    room -= part.length
    sent += part.length
    emit({ offset, text: part })
  }

  function wait(): void {
    timer = setTimeout(() => {
      timer = null
      if (sent === end) return void (room = windowChars)
      room = 0
      send()
      wait()
    }, windowMs)
  }

  return {
    push(text: string, skipped = 0): void {
      if (text === '' && skipped === 0) return
      if (skipped > 0) leave(skipped)
      keep(text)
      if (sent + text.length === end) sendFirst(text)
      if (timer === null) wait()
    },
    /** Sends now what was held back. */
    flush(): void {
      if (timer !== null) clearTimeout(timer)
      timer = null
      room = windowChars
      if (sent < end) send()
    },
    /** The newest part of all there is, for a client that joins. */
    newest: () => newest(limits.shownBytes),
  }
}

/** Behind a gap, text goes on with a whole line, or at least with a whole character. */
function lineStart(text: string): number {
  const lineEnd = text.indexOf('\n')
  if (lineEnd >= 0 && lineEnd < text.length - 1) return lineEnd + 1
  const first = text.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff ? 1 : 0
}

const isLead = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
