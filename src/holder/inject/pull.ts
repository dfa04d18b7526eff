import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Current, Typed } from '../current.ts'
import type { Reads } from '../process/reads-terminal.ts'
import { isEntering } from './select.ts'

export interface PullOptions {
  current: Current
  /** Private; the shell writes its answer down here. */
  folder: string
  /** The answer's file, and the mark that says that it is written. */
  name: string
  mark: 'N' | 'S'
  key: string
  /** Brings a new line, should the shell not know the key and take it for text. */
  fresh: string
  /** Whether it may be pressed behind a half-typed line, which would be drawn anew. */
  takesText: boolean
  /** After so many keys without an answer none is pressed any more. */
  tries: number
  shellPid: number
  /** Whether the shell waits for keys now. */
  reads: () => Reads
  write: (bytes: Buffer) => void
  /** Gets what the shell wrote; nothing when it was not asked, or did not answer. */
  answer: (bytes: Buffer) => void
}

export interface Pull {
  /** With a question, if there is one, in a file of its own. */
  ask: (question?: Buffer) => void
}

/** A shell answers within milliseconds; a machine that swaps may take this long. */
const answerMs = 2_000
/** More than any shell has; an answer that is cut off is none. */
const maxBytes = 4 * 1024 * 1024
const nothing = Buffer.alloc(0)

/**
 * Asks the shell for something by a key of its line editor. Only at a prompt, and never when somebody pressed other
 * keys than letters there: a search would be ended.
 */
export function createPull(options: PullOptions): Pull {
  const { current, folder, name, mark, key, fresh, shellPid, reads, write, answer } = options
  const file = join(folder, name)
  let lost = 0
  let isKnown = false
  /** Questions that came while another was under way: the server takes answers in the order of its questions. */
  let behind = 0

  function finish(bytes: Buffer): void {
    const unasked = behind
    behind = 0
    answer(bytes)
    for (let at = 0; at < unasked; at++) answer(nothing)
  }

  /** Whether the own shell is at a prompt of its own, with no more than this in its line and nothing on its way there. */
  function isAtPrompt(most: Typed): boolean {
    if (current.exit !== null || current.levels.length > 1 || current.adopter !== null) return false
    if (current.typed !== 'nothing' && current.typed !== most) return false
    // Another shell's prompt may look the same.
    return current.promptPid === shellPid && !isEntering(current.injector.state)
  }

  /** It lost the key, or was in some mode of its own. */
  function giveUp(question: Buffer | undefined): void {
    delete current.pulls[mark]
    if (question !== undefined) clear(file)
    // A shell that does not read has not seen it yet: there is nothing to clear away.
    const hasLost = reads() !== false
    if (hasLost) lost += 1
    if (hasLost && isAtPrompt('nothing')) write(Buffer.from(fresh))
    finish(nothing)
  }

  return {
    ask(question) {
      if (current.pulls[mark] !== undefined) return void (behind += 1)
      // A key that is not known would be text in somebody's line.
      const most = options.takesText && isKnown ? 'text' : 'nothing'
      if (lost >= options.tries || !isAtPrompt(most) || !prepare(file, question))
        return answer(nothing)
      const timer = setTimeout(giveUp, answerMs, question)
      current.pulls[mark] = {
        onAnswer() {
          clearTimeout(timer)
          delete current.pulls[mark]
          isKnown = true
          lost = 0
          const bytes = takeFile(file)
          if (question !== undefined) clear(file)
          finish(bytes)
        },
      }
      write(Buffer.from(key))
    },
  }
}

/** Made here, so that nobody else can read it whatever the shell's umask is; and new, so that no answer is an old one. */
function prepare(file: string, question: Buffer | undefined): boolean {
  if (question === undefined) return true
  try {
    clear(file)
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' })
    writeFileSync(askedFile(file), question, { mode: 0o600, flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** Nothing of a question or its answer stays. */
function clear(file: string): void {
  rmSync(file, { force: true })
  rmSync(askedFile(file), { force: true })
}

const askedFile = (file: string) => join(dirname(file), 'asked')

/** Nobody else should read it. */
function takeFile(file: string): Buffer {
  try {
    const descriptor = openSync(file, 'r+')
    try {
      const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, maxBytes))
      const length = readSync(descriptor, bytes, 0, bytes.length, 0)
      ftruncateSync(descriptor)
      return bytes.subarray(0, length)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return nothing
  }
}
