import type { Range } from './arguments.ts'

/** An `@` at a word’s start and what follows it, even if that is nothing yet. */
const mention = /(?<![^\s([{<"'`,;])@(?:"([^"\n]*)"?|([^\s"]*))/g
/** Behind the cursor, what may close a bracket or a sentence is not the path’s. */
const tail = /^[^\s()[\]{}<>"'`,;:!?]*/

/** The `@path` that the cursor is in; its range has the `@` and the quotes. */
export function mentionAt(text: string, cursor: number): (Range & { text: string }) | null {
  for (const match of text.matchAll(mention)) {
    const from = match.index
    const end = from + match[0].length
    if (from >= cursor) return null
    if (cursor > end) continue
    if (match[1] === undefined) {
      const rest = tail.exec(text.slice(cursor, end))?.[0].length ?? 0
      return { from, to: cursor + rest, text: text.slice(from + 1, cursor) }
    }
    // Behind the closing quote it is over.
    if (cursor === end && match[0].length > 2 && match[0].endsWith('"')) return null
    return { from, to: end, text: text.slice(from + 2, Math.max(cursor, from + 2)) }
  }
  return null
}

/** A path as a prompt names it; null when there is no way to write it. */
export function quoteMention(path: string): string | null {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) return null
  if (!/\s/.test(path) && !path.startsWith('"')) return `@${path}`
  // In quotes, a number at the end is a line’s.
  return path.includes('"') || /:\d+(-\d+)?$/.test(path) ? null : `@"${path}"`
}
