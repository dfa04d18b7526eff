import { visitProse } from '../../base/code-in-text.ts'
import type { FileRead } from '../../protocol/events/call.ts'

/**
 * An `@path` in a prompt, as it was typed but for the `@`, quotes and line numbers; whether it names
 * anything is for the edge to say.
 */
type Mention = Pick<FileRead, 'path' | 'lines'>

/** More places than these are a pasted mail or program, not a list of files. */
const mostPlaces = 200
const mostLooks = 10 * mostPlaces

/** The longest path on any system that we know. */
const longestPath = 4_096

/** `@a.ts’s`, `(@a.ts),`, `@a.ts:10:5`: a path may end before any of these, or go on. */
const mayEnd = /[.,;:!?()[\]{}<>'"`’”»…—。，、；：！？（）「」]/

/** A sentence adds little to a path, and each reading costs a look at the disk. */
const mostReadings = 8

/**
 * Every place of a text that may name a file, in order, outside code fences and inline code. Each
 * offers readings, the longest first: the first that names something counts. `\@` is never one.
 */
export function findMentions(text: string): readonly (readonly Mention[])[] {
  const places = new Map<string, readonly Mention[]>()
  let looks = 0
  visitProse(text, { sign: '@' }, (at) => {
    if (isInWord(text, at)) return at + 1
    const { readings, end } = candidateAt(text, at)
    const key = JSON.stringify(readings[0])
    if (readings.length > 0 && !places.has(key)) places.set(key, readings)
    looks++
    return places.size < mostPlaces && looks < mostLooks ? end : text.length
  })
  return [...places.values()]
}

/** An e-mail address, or an escape. Some scripts have no blanks between words. */
function isInWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? ''
  return /[\p{L}\p{N}\p{M}_.%+\-@/\\]/u.test(before) && !/[\u3040-\u30ff\u3400-\u9fff]/.test(before)
}

const quotedPath = /@"([^"\n]{1,4096})"(?::(\d{1,9})(?:-(\d{1,9}))?)?/y

/** The search goes on from `end`. */
function candidateAt(text: string, at: number): { readings: readonly Mention[]; end: number } {
  quotedPath.lastIndex = at
  const quoted = quotedPath.exec(text)
  const path = quoted?.[1]
  if (quoted && path !== undefined) {
    const lines = linesOf(quoted[2], quoted[3])
    const readings = lines === null ? withLines(path) : [{ path, lines }]
    return { readings, end: quotedPath.lastIndex }
  }
  // Another mention may follow: `@a.ts,@b.ts`.
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
