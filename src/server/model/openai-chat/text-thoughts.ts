import { z } from 'zod'
import type { ReplyPart } from '../../../protocol/events/message.ts'
import { parseJson, type ReplyDelta } from '../model.ts'

/** The text around a thought that came in the text of a reply, kept as JSON in its `opaque`: before it, and behind. */
const InText = z.object({ inText: z.tuple([z.string(), z.string()]) })
type InText = z.infer<typeof InText>

/** The text of a reply as its server sent it, with the thoughts that stood in it. */
export function rawTextOf(parts: readonly ReplyPart[]): string {
  return parts.map(rawText).join('')
}

function rawText(part: ReplyPart): string {
  if (part.type === 'call') return ''
  const around = InText.safeParse(parseJson(part.opaque ?? '')).data?.inText
  if (around === undefined) return part.type === 'text' ? part.text : ''
  return `${around[0]}${part.text}${around[1]}`
}

const names = ['think', 'thinking', 'thought'] as const
const openings = names.map((name) => `<${name}>`)
const closings = names.map((name) => `</${name}>`)

type Phase =
  | { type: 'start' }
  | { type: 'thinking'; before: string; closing: string }
  /** Blanks behind a thought belong to it; `before` is null if only the thought’s end was marked. */
  | { type: 'behind'; before: string | null; behind: string }
  | { type: 'text' }

interface Reading {
  phase: Phase
  /** The part of the text that may be half a tag. */
  held: string
  hasThought: boolean
  /** The text behind the thoughts, in which quotes and fences may be open. */
  said: string
}

/**
 * Takes thoughts out of a text: servers that do not know a model’s tags leave them there, and a command that was only
 * thought of is not asked for. A model whose thought the request has begun marks its end alone.
 */
export function createTextThoughts() {
  const reading: Reading = { phase: { type: 'start' }, held: '', hasThought: false, said: '' }
  let hasWord = false

  function* told(deltas: Iterable<ReplyDelta>): Iterable<ReplyDelta> {
    for (const delta of deltas) {
      if (delta.type === 'text') hasWord = true
      if (delta.type === 'was-thought') hasWord = false
      yield delta
    }
  }

  return {
    *add(text: string): Iterable<ReplyDelta> {
      reading.held += text
      for (let before = ''; before !== `${reading.phase.type} ${reading.held}`;) {
        before = `${reading.phase.type} ${reading.held}`
        yield* told(step(reading))
      }
    },
    /** A thought came in a place of its own: the text has none whose beginning is missing. */
    thought(): void {
      reading.hasThought = true
    },
    /** All that was held back. */
    end: () => told(ended(reading)),
    /** Whether it said anything beside its thoughts. */
    hasWord: () => hasWord,
  }
}

function step(reading: Reading): readonly ReplyDelta[] {
  const { phase } = reading
  switch (phase.type) {
    case 'start':
      return start(reading)
    case 'thinking':
      return think(reading, phase)
    case 'behind':
      return behind(reading, phase)
    case 'text':
      return speak(reading)
  }
}

function start(reading: Reading): readonly ReplyDelta[] {
  const { held } = reading
  const words = held.trimStart()
  if (openings.some((one) => one.startsWith(words) && one !== words)) return []
  const at = openings.findIndex((one) => words.startsWith(one))
  if (at === -1) {
    reading.phase = { type: 'text' }
    return []
  }
  const inner = words.slice(openings[at]?.length).trimStart()
  if (inner === '') return []
  const before = held.slice(0, held.length - inner.length)
  reading.phase = { type: 'thinking', before, closing: closings[at] ?? '' }
  reading.held = inner
  return [{ type: 'close' }]
}

function think(
  reading: Reading,
  { before, closing }: Phase & { type: 'thinking' },
): readonly ReplyDelta[] {
  const { held } = reading
  const end = held.indexOf(closing)
  const upTo = (end === -1 ? withoutStart(held, [closing]) : held.slice(0, end)).trimEnd()
  reading.held = held.slice(upTo.length)
  if (end !== -1) {
    const to = end + closing.length
    reading.held = held.slice(to)
    reading.phase = { type: 'behind', before, behind: held.slice(upTo.length, to) }
  }
  return upTo === '' ? [] : [{ type: 'thinking', text: upTo }]
}

function behind(reading: Reading, phase: Phase & { type: 'behind' }): readonly ReplyDelta[] {
  const { held } = reading
  const words = held.trimStart()
  if (words === '') return []
  reading.held = words
  reading.hasThought = true
  reading.phase = { type: 'text' }
  return over(phase, held.slice(0, held.length - words.length))
}

function speak(reading: Reading): readonly ReplyDelta[] {
  const { held, hasThought } = reading
  const found = hasThought ? null : ending.exec(held)
  const upTo = hasThought ? held : found ? held.slice(0, found.index) : withoutStart(held, closings)
  const [tag = ''] = found ?? []
  reading.held = held.slice(upTo.length + tag.length)
  reading.said += upTo
  const isOnlyShown = found !== null && isShown(reading.said, reading.held)
  if (isOnlyShown) reading.said += tag
  else if (found) reading.phase = { type: 'behind', before: null, behind: tag }
  const text = isOnlyShown ? upTo + tag : upTo
  return text === '' ? [] : [{ type: 'text', text }]
}

function* ended(reading: Reading): Iterable<ReplyDelta> {
  const { phase, held: rest } = reading
  reading.held = ''
  if (phase.type === 'thinking') {
    if (rest !== '') yield { type: 'thinking', text: rest }
    yield { type: 'close', opaque: opaqueOf(phase.before, '') }
  } else if (phase.type === 'behind') yield* over(phase, rest)
  else if (phase.type === 'text' && closings.includes(rest) && !isShown(reading.said, ''))
    yield* over({ type: 'behind', before: null, behind: rest }, '')
  else if (rest !== '') yield { type: 'text', text: rest }
}

const opaqueOf = (before: string, behind: string): string => {
  const around: InText = { inText: [before, behind] }
  return JSON.stringify(around)
}

/** The end of a thought, once everything is known that belongs to it. */
function over({ before, behind }: Phase & { type: 'behind' }, blanks: string): [ReplyDelta] {
  const type = before === null ? 'was-thought' : 'close'
  return [{ type, opaque: opaqueOf(before ?? '', behind + blanks) }]
}

/** Complete only with the character behind it: that may be a quote. */
const ending = /<\/(?:think|thinking|thought)>(?=[\s\S])/

/** A tag that is quoted or stands in code is only spoken of. */
function isShown(before: string, behind: string): boolean {
  const isQuoted = /['"`]$/.test(before) || /^['"`]/.test(behind)
  const marks = before.match(/^[ \t]*(?:```|~~~)/gm) ?? []
  return isQuoted || marks.length % 2 === 1
}

/** The text without an end that may become one of the tags. */
function withoutStart(text: string, tags: readonly string[]): string {
  const at = text.lastIndexOf('<')
  const end = at === -1 ? '' : text.slice(at)
  return end !== '' && tags.some((tag) => tag.startsWith(end)) ? text.slice(0, at) : text
}
