import { closeSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Reads } from './reads-terminal.ts'

export interface NamesPullOptions {
  /** Private; the shell writes the names down here. */
  folder: string
  key: string
  /** Brings a new line, should the shell not know the key and take it for text. */
  fresh: string
  shellPid: number
  /** Whether the shell waits for keys now. */
  reads: () => Reads
  /** Whether nothing of ours is on its way into the line editor. */
  isFree: () => boolean
  write: (bytes: Buffer) => void
  /** What the shell wrote; empty when it was not asked, or did not answer. */
  answer: (bytes: Buffer) => void
}

export interface NamesPull {
  ask: () => void
  onMark: (kind: string, fields: readonly string[]) => void
  onTyped: () => void
}

/** A shell answers within milliseconds; a machine that swaps may take this long. */
const answerMs = 2_000
/** More than any shell has; what is cut off is not known. */
const maxBytes = 512 * 1024
const nothing = Buffer.alloc(0)

/**
 * Asks the shell for what it knows by name, by a key of its line editor. Only at a prompt at which
 * nobody has typed anything: a half-typed line would be drawn anew, and a search in it be ended.
 */
export function createNamesPull(options: NamesPullOptions): NamesPull {
  const { folder, key, fresh, shellPid, reads, isFree, write, answer } = options
  const file = join(folder, 'names')
  let isAtPrompt = false
  let isTyped = false
  let isDeaf = false
  let asked: NodeJS.Timeout | null = null

  /** It lost the key, and is not pressed again. */
  function giveUp(): void {
    asked = null
    // One that does not read has not seen it yet: there is nothing to clear away.
    isDeaf = reads() !== false
    if (isDeaf && isAtPrompt && !isTyped && isFree()) write(Buffer.from(fresh))
    answer(nothing)
  }

  function close(): void {
    if (asked === null) return
    clearTimeout(asked)
    asked = null
    answer(takeFile(file))
  }

  return {
    ask() {
      if (asked !== null) return
      if (!isAtPrompt || isTyped || isDeaf || !isFree()) return answer(nothing)
      asked = setTimeout(giveUp, answerMs)
      write(Buffer.from(key))
    },
    onMark(kind, fields) {
      if (kind === 'N') return close()
      // Another shell's prompt may look the same.
      if (kind === 'B') isAtPrompt = Number(fields[1]) === shellPid
      if (kind !== 'C' && kind !== 'D') return
      isAtPrompt = false
      isTyped = false
    },
    onTyped() {
      isTyped = true
    },
  }
}

/** Nobody else should read it. */
function takeFile(file: string): Buffer {
  try {
    const descriptor = openSync(file, 'r+')
    try {
      const bytes = Buffer.alloc(maxBytes)
      const length = readSync(descriptor, bytes, 0, maxBytes, 0)
      ftruncateSync(descriptor)
      return bytes.subarray(0, length)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return nothing
  }
}
