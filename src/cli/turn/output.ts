import { askedAgain } from '../../view/words/ask.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { textOf, thoughtsOf, thoughtWords } from '../../protocol/events/message.ts'
import { replyText } from '../../view/rows/segments.ts'
import { openReply } from '../../view/status.ts'
import { duration, repoWords } from '../../view/words/run.ts'
import type { ReplyEntry } from '../../view/fold/entry.ts'
import type { View } from '../../view/fold/view.ts'
import type { Io } from '../io.ts'
import { pipeable, printable, printableLine } from '../../view/text/hidden-characters.ts'
import type { TurnResult } from './result.ts'
import { wholeSeconds, shownThoughts } from '../../view/words/clock.ts'

export type OutputFormat = 'text' | 'json' | 'stream-json'

/** The output that tells a turn as it goes, and how it ended. */
export interface TurnOutput {
  event(event: Event): void
  view(view: View): void
  result(result: TurnResult): void
}

interface OutputOptions {
  format: OutputFormat
  /** A pipe gets control characters as they came. */
  isRaw: boolean
}

export function createTurnOutput(io: Io, { format, isRaw }: OutputOptions): TurnOutput {
  if (format === 'stream-json') return streamOutput(io)
  if (format === 'json')
    return { event: () => {}, view: () => {}, result: (result) => io.out(lineOf(result)) }
  return textOutput(io, isRaw)
}

/** JSON leaves the second half of the control characters as they are, and terminals obey some of them. */
const lineOf = (value: unknown) =>
  `${JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)}\n`

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
function textOutput(io: Io, isRaw: boolean): TurnOutput {
  const clock = createWaitClock(io)
  const narrator = createNarrator(io)
  const thoughts = createThoughtNotes(io)
  const narrate = (event: Event) => {
    clock.event(event)
    narrator(event)
  }
  if (!io.isTerminal.stdout)
    return {
      event(event) {
        thoughts.event(event)
        narrate(event)
      },
      view: () => {},
      result({ text }) {
        const safe = isRaw ? text : pipeable(text)
        io.out(safe === '' || safe.endsWith('\n') ? safe : `${safe}\n`)
      },
    }
  const shown = { step: 0, length: 0 }
  const stream = (step: number, text: string) => {
    if (shown.step !== step) Object.assign(shown, { step, length: 0 })
    if (text.length > shown.length) clock.word()
    io.out(printable(text.slice(shown.length)))
    shown.length = Math.max(shown.length, text.length)
  }
  return {
    event(event) {
      thoughts.event(event)
      if (event.type === 'message' && event.role === 'assistant') {
        stream(event.step ?? event.seq, textOf(event.parts))
        io.out('\n')
      }
      narrate(event)
    },
    view(view) {
      const entry = openReply(view)
      if (!entry) return
      thoughts.view(entry)
      stream(entry.seq, replyText(entry))
    },
    // A text that was not streamed is a command’s answer.
    result({ text }) {
      if (shown.step === 0 && text !== '') io.out(`${printable(text)}\n`)
    },
  }
}

/** Tells a person at a terminal, once a reply and before its first word, how long the model thought. */
function createThoughtNotes(io: Io) {
  let told: Seq | null = null
  function note(step: Seq, ms: number | null): void {
    if (told === step || !io.isTerminal.stderr) return
    told = step
    io.note(`  [${thoughtWords(ms)}]`)
  }
  return {
    view(entry: ReplyEntry): void {
      const thoughts = shownThoughts(entry)
      const hasWord = replyText(entry) !== ''
      if (thoughts && hasWord) note(entry.seq, thoughts.ms)
    },
    event(event: Event): void {
      if (event.type !== 'message' || event.role !== 'assistant') return
      const { thoughtMs = null, parts, step, seq } = event
      if (thoughtMs !== null || thoughtsOf(parts) !== '') note(step ?? seq, thoughtMs)
    },
  }
}

/** Tells on stderr what runs, in which repo, and in which folder if that is not the one we are in. */
function createNarrator(io: Io): (event: Event) => void {
  const repos = new Map<Seq, string>()
  return (event) => {
    if (event.type === 'tool_request' && event.run?.repo !== undefined)
      repos.set(event.seq, event.run.repo)
    if (event.type === 'run_start') {
      const { command, request, cwd } = event
      const repo = repoWords((request !== null && repos.get(request)) || null)
      const folder = cwd === null || cwd === io.cwd ? '' : `  in ${printableLine(cwd)}`
      io.note(`$ ${printableLine(command)}${repo}${folder}`)
    }
    narrateEnd(io, event)
  }
}

function narrateEnd(io: Io, event: Event): void {
  if (event.type === 'run_end') {
    const code = event.exitCode === null ? event.outcome : `exit ${event.exitCode}`
    io.note(`  [${code}, ${duration(event.durationMs)}]`)
  }
  if (event.type === 'elicitation_response' && event.moved && event.outcome === 'void')
    io.note(`  [${askedAgain}, so it is asked again]`)
  if (event.type === 'tool_response' && event.status === 'timeout') io.note('  [its time was up]')
  if (event.type === 'error') io.note(`tandem: ${printableLine(event.message)}`)
}

/** Rarely enough for a log of it to be read, often enough for somebody who wonders. */
const everyMs = 15_000

/** Tells a person at a terminal, now and then, how long the model has been asked for a word, or for the next. */
export function createWaitClock(io: Pick<Io, 'note' | 'isTerminal'>) {
  let timer: NodeJS.Timeout | undefined

  const stop = () => clearInterval(timer)

  function start(doing: string, { isMidLine = false } = {}): void {
    stop()
    if (!io.isTerminal.stderr) return
    let waited = 0
    timer = setInterval(() => {
      waited += everyMs
      const gap = isMidLine && waited === everyMs ? '\n' : ''
      io.note(`${gap}  [the model is ${doing}: ${wholeSeconds(waited)}]`)
    }, everyMs)
    timer.unref()
  }

  return {
    event({ type }: Event): void {
      if (type === 'step_start') start('thinking')
      if (type === 'message' || type === 'step_end' || type === 'agent_end') stop()
    },
    /** A word has come. More may follow, or a call whose arguments take minutes and are not shown. */
    word: () => start('still working', { isMidLine: true }),
    stop,
  }
}
