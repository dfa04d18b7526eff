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

/**
 * Takes thoughts out of a text: servers that do not know a model’s tags leave them there, and what was only thought of
 * asks for nothing. A model whose thought the request has begun marks its end alone.
 */
export function createTextThoughts() {
  let phase: Phase = { type: 'start' }
  /** The part of the text that may be half a tag. */
  let held = ''
  let hasThought = false
  /** The end of what was said, to see quotes and open fences. */
  let said = ''

  function* add(text: string): Iterable<ReplyDelta> {
    held += text
    for (let before = ''; before !== `${phase.type} ${held}`;) {
      before = `${phase.type} ${held}`
      yield* step()
    }
  }

  function step(): readonly ReplyDelta[] {
    switch (phase.type) {
      case 'start':
        return start()
      case 'thinking':
        return think(phase)
      case 'behind':
        return behind(phase)
      case 'text':
        return speak()
    }
  }

  function start(): readonly ReplyDelta[] {
    const words = held.trimStart()
    if (openings.some((one) => one.startsWith(words) && one !== words)) return []
    const at = openings.findIndex((one) => words.startsWith(one))
    if (at === -1) {
      phase = { type: 'text' }
      return []
    }
    const inner = words.slice(openings[at]?.length).trimStart()
    if (inner === '') return []
    const before = held.slice(0, held.length - inner.length)
    phase = { type: 'thinking', before, closing: closings[at] ?? '' }
    held = inner
    return [{ type: 'close' }]
  }

  function think({ before, closing }: Phase & { type: 'thinking' }): readonly ReplyDelta[] {
    const end = held.indexOf(closing)
    const upTo = (end === -1 ? withoutStart(held, [closing]) : held.slice(0, end)).trimEnd()
    const rest = held.slice(upTo.length)
    held = rest
    if (end !== -1) {
      const behind = rest.slice(0, rest.indexOf(closing) + closing.length)
      held = rest.slice(behind.length)
      phase = { type: 'behind', before, behind }
    }
    return upTo === '' ? [] : [{ type: 'thinking', text: upTo }]
  }

  function behind(now: Phase & { type: 'behind' }): readonly ReplyDelta[] {
    const words = held.trimStart()
    if (words === '') return []
    const blanks = held.slice(0, held.length - words.length)
    held = words
    hasThought = true
    phase = { type: 'text' }
    return over(now, blanks)
  }

  function speak(): readonly ReplyDelta[] {
    const found = hasThought ? null : ending.exec(held)
    const upTo = hasThought
      ? held
      : found
        ? held.slice(0, found.index)
        : withoutStart(held, closings)
    const rest = held.slice(upTo.length)
    held = rest
    said += upTo
    const deltas: readonly ReplyDelta[] = upTo === '' ? [] : [{ type: 'text', text: upTo }]
    if (!found) return deltas
    const [tag] = found
    held = rest.slice(tag.length)
    if (isShown(said, held)) {
      said += tag
      return [...deltas, { type: 'text', text: tag }]
    }
    phase = { type: 'behind', before: null, behind: tag }
    return deltas
  }

  return {
    add,
    /** A thought came in a place of its own: the text has none whose beginning is missing. */
    thought(): void {
      hasThought = true
    },
    /** All that was held back. */
    *end(): Iterable<ReplyDelta> {
      const rest = held
      const isEnding = phase.type === 'text' && closings.includes(rest) && !isShown(said, '')
      held = ''
      if (isEnding) phase = { type: 'behind', before: null, behind: rest }
      if (phase.type === 'thinking') {
        if (rest !== '') yield { type: 'thinking', text: rest }
        yield { type: 'close', opaque: opaqueOf(phase.before, '') }
      } else if (phase.type === 'behind') yield* over(phase, isEnding ? '' : rest)
      else if (rest !== '') yield { type: 'text', text: rest }
    },
  }
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
