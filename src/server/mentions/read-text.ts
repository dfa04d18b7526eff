import { limits } from '../../protocol/limits.ts'
import type { FileHandle } from 'node:fs/promises'
import type { FileRead } from '../../protocol/events/call.ts'
import type { Sniffed } from './sniff.ts'

/** The state of reading a text that comes in pieces. */
interface Seen {
  /** Counts of the whole text. */
  lines: number
  chars: number
  /** The lines that were asked for, as many as there is room for; the middle goes first. */
  text: string
  /** Whether anything of them is missing in `text`. */
  isClipped: boolean
}

interface Line {
  text: string
  /** As long as it was before it was cut. */
  chars: number
  isCut: boolean
}

/** Room for the notice between head and tail. */
const noticeChars = 100

/**
 * Keeps the head and the tail of a range of lines and counts exactly what lies between. Holds no
 * more than it gives in the end, however long the text or a line of it is.
 */
export function createLineWindow(range: { from: number; to: number } | null) {
  const half = Math.floor((limits.mentionChars - noticeChars) / 2)
  const line = createLine()
  const head: Line[] = []
  let headChars = 0
  const tail = createTail(half)
  let lines = 0
  let chars = 0
  let isCut = false

  function close(): void {
    lines++
    const closed = line.take()
    if (range !== null && (lines < range.from || lines > range.to)) return
    isCut ||= closed.isCut
    const hasRoom = tail.isEmpty() && headChars + closed.text.length <= half
    if (!hasRoom) return tail.push(closed)
    head.push(closed)
    headChars += closed.text.length
  }

  return {
    add(text: string): void {
      chars += text.length
      for (let from = 0; from < text.length;) {
        const end = text.indexOf('\n', from)
        line.add(end === -1 ? text.slice(from) : text.slice(from, end + 1))
        if (end === -1) return
        close()
        from = end + 1
      }
    },
    end(): Seen {
      if (!line.isEmpty()) close()
      const { left, kept } = tail.end()
      const notice =
        left.lines === 0
          ? ''
          : `[… ${counted(left.lines, 'line')} (${counted(left.chars, 'character')}) left out …]\n`
      const text = [...head, { text: notice }, ...kept].map((one) => one.text).join('')
      return { lines, chars, text, isClipped: isCut || left.lines > 0 }
    },
  }
}

/** The line that is being put together; of a long one only its beginning is held. */
function createLine() {
  const most = limits.mentionLineChars
  let kept = ''
  let chars = 0
  let last = ''
  return {
    isEmpty: () => chars === 0,
    add(text: string) {
      if (kept.length <= most + 1) kept += text.slice(0, most + 2 - kept.length)
      chars += text.length
      last = `${last}${text.slice(-2)}`.slice(-2)
    },
    take(): Line {
      const end = last.endsWith('\r\n') ? '\r\n' : last.endsWith('\n') ? '\n' : ''
      const isCut = chars - end.length > most
      const text = isCut ? cut(kept.slice(0, most), chars - end.length) + end : kept
      const line = { text, chars, isCut }
      kept = last = ''
      chars = 0
      return line
    },
  }
}

/** Half a character at the end is none. */
function cut(beginning: string, chars: number): string {
  const whole = /[\ud800-\udbff]$/.test(beginning) ? beginning.slice(0, -1) : beginning
  return `${whole} [… ${counted(chars - whole.length, 'character')} left out …]`
}

/** The last lines, as many as fit; counts those it had to let go. */
function createTail(room: number) {
  let kept: Line[] = []
  let first = 0
  let held = 0
  const left = { lines: 0, chars: 0 }
  return {
    isEmpty: () => kept.length === 0,
    push(line: Line): void {
      kept.push(line)
      held += line.text.length
      for (let oldest = kept[first]; oldest !== undefined && held > room; oldest = kept[first]) {
        first++
        held -= oldest.text.length
        left.lines++
        left.chars += oldest.chars
      }
      // Letting go one by one would move all others each time.
      if (first > 10_000) {
        kept = kept.slice(first)
        first = 0
      }
    },
    end: () => ({ left, kept: kept.slice(first) }),
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

const pieceBytes = 64 * 1024

/** Facts about a file, and as much of its text as there is room for. Null if it turns out to be no text. */
export async function readText(
  handle: FileHandle,
  { encoding, hasMark }: Sniffed & { kind: 'text' },
  lines: FileRead['lines'],
) {
  const window = createLineWindow(lines)
  const decoder = new TextDecoder(encoding)
  const buffer = Buffer.alloc(pieceBytes)
  let replaced = 0
  let at = 0
  let isWhole = false
  while (!isWhole && at < limits.mentionBytes) {
    const { bytesRead } = await handle.read(buffer, 0, pieceBytes, at)
    at += bytesRead
    isWhole = bytesRead === 0
    const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: !isWhole })
    if (text.includes('\0')) return null
    replaced += text.split('\ufffd').length - 1
    window.add(text)
  }
  const seen = window.end()
  const odd =
    replaced === 0 ? [] : [`${counted(replaced, 'character')} that cannot be read shown as \ufffd`]
  const facts = [
    ...rangeFacts(seen, { lines, isWhole }),
    ...(isWhole ? [] : [`only its first ${at} bytes of ${(await handle.stat()).size} were read`]),
    ...(encoding === 'utf-8' ? [] : ['UTF-16']),
    ...(hasMark ? ['with a byte order mark'] : []),
    ...odd,
  ]
  return { facts, text: seen.text, isThere: lines === null || lines.from <= seen.lines }
}

interface Range {
  lines: FileRead['lines']
  isWhole: boolean
}

function rangeFacts(seen: Seen, { lines, isWhole }: Range): readonly string[] {
  const all = `${isWhole ? '' : 'more than '}${counted(seen.lines, 'line')}`
  if (isWhole && seen.chars === 0) return ['empty']
  if (lines === null) return [seen.isClipped ? `${all}, ${counted(seen.chars, 'character')}` : all]
  const none = (line: number) =>
    isWhole ? `there is no line ${line}` : `line ${line} was not reached`
  if (lines.from > seen.lines) return [all, none(lines.from)]
  const to = Math.min(lines.to, seen.lines)
  const shown = lines.from === to ? `line ${to}` : `lines ${lines.from}–${to}`
  const missing = lines.to > to ? [none(lines.to)] : []
  return [`${shown} of ${isWhole ? '' : 'more than '}${seen.lines}`, ...missing]
}
