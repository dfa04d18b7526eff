import {
  type Skipped,
  closesFence,
  fenceClose,
  fenceMark,
  lineEnd,
  lineOf,
  type Line,
} from './code-in-text.ts'
import { shownMarkup, unopenedThoughtEnd } from './shown-markup.ts'

const heading = /^#{1,6}(?:[ \t]|\r?$)/
const rule = /^([-*_])(?:[ \t]*\1){2,}[ \t\r]*$/
const listMarker = /^([-+*]|(\d{1,9})[.)])(?=[ \t]|\r?$)/

/** More lists in lists are not prose that anybody reads. */
const mostLists = 20

/**
 * The stretches of a reply that show something instead of saying it: fences, block quotes, indented
 * code, comments and raw markup, as CommonMark reads them, and thoughts.
 */
export function shownInReply(text: string): Skipped {
  /** The columns where the texts of the open list items stand, outermost first. */
  let items: number[] = []
  /** The line before is prose that this one may go on with, however it is indented. */
  let isParagraph = false

  const baseOf = () => items.at(-1) ?? 0
  const prose = (isOpen: boolean): null => {
    isParagraph = isOpen
    return null
  }
  const shown = (end: number): number => {
    isParagraph = false
    return end
  }

  function line(at: number): number | null {
    const thought = at === 0 ? unopenedThoughtEnd(text) : 0
    if (thought > 0) return thought
    const end = lineEnd(text, at)
    const found = lineOf(text.slice(at, end))
    if (found.words === '') return prose(false)
    const kept = items.findIndex((column) => column > found.indent)
    const within = kept === -1 ? items : items.slice(0, kept)
    const isDeep = found.indent - (within.at(-1) ?? 0) >= 4
    if (isParagraph && (isDeep || !opensBlock(found.words))) return null
    items = within
    return isDeep ? shown(end + 1) : block(found, end)
  }

  /** The rest of a line, behind the list markers that it begins with. */
  function block({ indent, words }: Line, end: number): number | null {
    if (words === '' || heading.test(words) || rule.test(words)) return prose(false)
    if (words.startsWith('>')) return shown(quoteEnd(text, { words, end }))
    const mark = fenceMark(words)
    if (mark !== null) return shown(fenceClose(text, end + 1, { mark, base: baseOf() }))
    const marker = listMarker.exec(words)?.[0]
    if (marker === undefined) return prose(true)
    const behind = indent + marker.length
    return item(lineOf(words.slice(marker.length), behind), end, behind)
  }

  /** The text of a list item begins at most four columns behind its marker; further on it is code. */
  function item({ indent, words }: Line, end: number, behind: number): number | null {
    if (items.length >= mostLists) return shown(end + 1)
    isParagraph = false
    const isCode = words !== '' && indent - behind > 4
    items = [...items, isCode || words === '' ? behind + 1 : indent]
    return isCode ? shown(end + 1) : block({ indent, words }, end)
  }

  return { line, markup: shownMarkup(text) }
}

/** Whether words at a line's start begin something else, where a paragraph could go on. */
function opensBlock(words: string): boolean {
  const [marker, , number = '1'] = listMarker.exec(words) ?? []
  const isItem = marker !== undefined && number === '1' && words.trim() !== marker
  const opens = words.startsWith('>') || heading.test(words) || rule.test(words)
  return isItem || opens || fenceMark(words) !== null
}

interface Quote {
  words: string
  end: number
}

/** The place behind a quote: a paragraph in it goes on in lines that have no sign of their own. */
function quoteEnd(text: string, { words, end }: Quote): number {
  const inside = quoted()
  inside(words)
  for (let at = end + 1; at < text.length;) {
    const to = lineEnd(text, at)
    const line = lineOf(text.slice(at, to))
    if (!inside(line.words)) return at
    at = to + 1
  }
  return text.length
}

/** Takes the lines of a quote one by one; false for the first that is not in it. */
function quoted(): (words: string) => boolean {
  let isParagraph = false
  let fence: string | null = null

  return (words) => {
    if (!words.startsWith('>')) return isParagraph && words !== '' && !opensBlock(words)
    const { indent, words: said } = lineOf(words.replace(/^(?:>[ \t]?)+/, ''))
    const mark = fenceMark(said)
    if (fence !== null) {
      if (closesFence(said, fence)) fence = null
      isParagraph = false
    } else if (mark !== null) {
      fence = mark
      isParagraph = false
    } else {
      const isCode = indent >= 4 && !isParagraph
      isParagraph = said !== '' && !heading.test(said) && !rule.test(said) && !isCode
    }
    return true
  }
}
