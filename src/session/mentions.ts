import { fenceEnd, inlineCode } from '../protocol/code-in-text.ts'

/** An `@path` in a prompt, as it was typed; whether it names anything is for the edge to say. */
export interface Mention {
  /** Without the `@`, quotes and line numbers. */
  path: string
  /** Lines, counted from 1; both ends are read. */
  lines: { from: number; to: number } | null
}

/** More places than these are a pasted mail or program, not a list of files. */
const mostPlaces = 200
const mostLooks = 10 * mostPlaces

/** As long as a path can be on any system that we know. */
const longestPath = 4_096

/** `@a.ts’s`, `(@a.ts),`, `@a.ts:10:5`: a path may end before any of these, or go on. */
const mayEnd = /[.,;:!?()[\]{}<>'"`’”»…—。，、；：！？（）「」]/

/** What a sentence adds to a path is short; each reading costs a look at the disk. */
const mostReadings = 8

/**
 * Every place of a text that may name a file, in order, outside code fences and inline code. Each
 * offers readings, the longest first: the first that names something counts. `\@` is never one.
 */
export function findMentions(text: string): readonly (readonly Mention[])[] {
  const places = new Map<string, readonly Mention[]>()
  const inlineCodeEnd = inlineCode(text)
  let looks = 0
  for (let at = 0; at < text.length && places.size < mostPlaces && looks < mostLooks;) {
    const fence = fenceEnd(text, at)
    if (fence !== null) at = fence
    else if (text[at] === '`') at = inlineCodeEnd(at)
    else if (text[at] === '@' && !isInWord(text, at)) {
      const { readings, end } = placeAt(text, at)
      const key = JSON.stringify(readings[0])
      if (readings.length > 0 && !places.has(key)) places.set(key, readings)
      looks++
      at = end
    } else at = nextSpecial(text, at + 1)
  }
  return [...places.values()]
}

/** Only these can begin a fence, inline code or a mention. */
function nextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '`' || char === '@' || text[at - 1] === '\n') return at
  }
  return text.length
}

/** An e-mail address, or an escape. Some scripts have no blanks between words. */
function isInWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? ''
  return /[\p{L}\p{N}\p{M}_.%+\-@/\\]/u.test(before) && !/[\u3040-\u30ff\u3400-\u9fff]/.test(before)
}

interface Place {
  readings: readonly Mention[]
  /** Where the search goes on. */
  end: number
}

const quotedPath = /@"([^"\n]{1,4096})"(?::(\d{1,9})(?:-(\d{1,9}))?)?/y

function placeAt(text: string, at: number): Place {
  quotedPath.lastIndex = at
  const quoted = quotedPath.exec(text)
  const path = quoted?.[1]
  if (quoted && path !== undefined) {
    const lines = linesOf(quoted[2], quoted[3])
    const readings = lines === null ? withLines(path) : [{ path, lines }]
    return { readings, end: quotedPath.lastIndex }
  }
  // What follows may be another mention: `@a.ts,@b.ts`.
  return { readings: bareReadings(text, at + 1), end: at + 1 }
}

function bareReadings(text: string, start: number): readonly Mention[] {
  const window = text.slice(start, start + longestPath + 1)
  const blank = window.search(/\s/)
  const end = blank === -1 ? window.length : blank
  if (end === 0 || end > longestPath || window.startsWith('"')) return []
  const word = window.slice(0, end)
  const texts = [word]
  for (let at = end - 1; at > 0 && texts.length < mostReadings; at--)
    if (mayEnd.test(word[at] ?? '')) texts.push(word.slice(0, at))
  return texts.flatMap(withLines)
}

/** A file may have a colon and digits in its name, so that is tried first. */
function withLines(text: string): readonly Mention[] {
  const match = /:(\d{1,9})(?:-(\d{1,9}))?$/.exec(text)
  const lines = match && match.index > 0 ? linesOf(match[1], match[2]) : null
  const whole = { path: text, lines: null }
  return match && lines ? [whole, { path: text.slice(0, match.index), lines }] : [whole]
}

/** Lines in the wrong order are still those lines. */
function linesOf(first: string | undefined, last: string | undefined): Mention['lines'] {
  if (first === undefined) return null
  const ends = [Number(first), Number(last ?? first)]
  const to = Math.max(...ends)
  return to === 0 ? null : { from: Math.max(1, Math.min(...ends)), to }
}
