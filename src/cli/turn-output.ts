import type { Event } from '../protocol/event.ts'
import { textOf } from '../protocol/message.ts'
import { findEntry } from '../view/entry-list.ts'
import { duration } from '../view/label.ts'
import type { View } from '../view/view.ts'
import type { Io } from './io.ts'
import { printable, printableLine } from './printable.ts'
import type { TurnResult } from './turn-result.ts'

export type OutputFormat = 'text' | 'json' | 'stream-json'

/** Where a turn is told as it goes, and how it ended. */
export interface TurnOutput {
  event(event: Event): void
  view(view: View): void
  result(result: TurnResult): void
}

export function createTurnOutput(io: Io, format: OutputFormat): TurnOutput {
  if (format === 'stream-json') return streamOutput(io)
  if (format === 'json')
    return { event: () => {}, view: () => {}, result: (result) => io.out(lineOf(result)) }
  return textOutput(io)
}

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`

/** The log itself. Its last line is the turn's end, or a result that says why there is none. */
function streamOutput(io: Io): TurnOutput {
  let last: Event['type'] | null = null
  return {
    event(event) {
      io.out(lineOf(event))
      last = event.type
    },
    view: () => {},
    result(result) {
      if (last !== 'agent_end') io.out(lineOf(result))
    },
  }
}

/**
 * Only once a reply is complete is it known to be the last. A person watches every word arrive; a
 * pipe gets the answer alone.
 */
function textOutput(io: Io): TurnOutput {
  if (!io.isTerminal.stdout)
    return {
      event: (event) => narrate(io, event),
      view: () => {},
      result: ({ text }) => io.out(text === '' || text.endsWith('\n') ? text : `${text}\n`),
    }
  const shown = { step: 0, length: 0 }
  const stream = (step: number, text: string) => {
    if (shown.step !== step) Object.assign(shown, { step, length: 0 })
    io.out(printable(text.slice(shown.length)))
    shown.length = Math.max(shown.length, text.length)
  }
  return {
    event(event) {
      if (event.type === 'message' && event.role === 'assistant') {
        stream(event.step ?? event.seq, textOf(event.parts))
        io.out('\n')
      }
      narrate(io, event)
    },
    view(view) {
      const entry = view.state.step && findEntry(view.entries, view.state.step.seq)
      if (entry?.kind === 'reply' && entry.reply.phase === 'open')
        stream(entry.seq, entry.reply.live.text)
    },
    // What was not streamed is a command’s answer.
    result({ text }) {
      if (shown.step === 0 && text !== '') io.out(`${printable(text)}\n`)
    },
  }
}

function narrate(io: Io, event: Event): void {
  if (event.type === 'run_start') io.note(`$ ${printableLine(event.command)}`)
  if (event.type === 'run_end') {
    const code = event.exitCode === null ? event.outcome : `exit ${event.exitCode}`
    io.note(`  [${code}, ${duration(event.durationMs)}]`)
  }
  if (event.type === 'elicitation_response' && event.moved)
    io.note('  [the shell has changed since it was judged, so it is asked again]')
  if (event.type === 'tool_response' && event.status === 'timeout') io.note('  [its time was up]')
  if (event.type === 'error') io.note(`tandem: ${printableLine(event.message)}`)
}
