import type { FileHandle } from 'node:fs/promises'
import type { FileRead } from '../../protocol/call.ts'
import { limits } from '../../protocol/limits.ts'
import { counted, createLineWindow, type Seen } from './line-window.ts'
import type { Sniffed } from './sniff.ts'

/** What is said of a file, and of its text what there is room for. */
export interface TextRead {
  facts: readonly string[]
  text: string
  isThere: boolean
}

const pieceBytes = 64 * 1024

/** Null if it turns out to be no text. */
export async function readText(
  handle: FileHandle,
  { encoding, hasMark }: Sniffed & { kind: 'text' },
  lines: FileRead['lines'],
): Promise<TextRead | null> {
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
