import type { HolderClient } from './holder-client.ts'
import type { Mark } from '../../terminal/mark.ts'
import { readNames, type ShellNames } from './shell-names.ts'

export interface AskNames {
  /** As of the last prompt at which it could be asked; null when there was none yet. */
  names(isAtPrompt: boolean): Promise<ShellNames | null>
  onMark(mark: Mark): void
}

/** The holder itself waits a while; one of an earlier version does not know the question. */
const answerMs = 3_000

/** Asks the shell once a prompt at most, and never while something runs. */
export function createAskNames(client: Pick<HolderClient, 'names'>): AskNames {
  let known: ShellNames | null = null
  let asking: Promise<ShellNames | null> | null = null
  let isFresh = false
  let isMute = false

  async function ask(): Promise<ShellNames | null> {
    isFresh = true
    const bytes = await inTime(client.names())
    isMute = bytes === null
    const found = bytes === null ? null : readNames(bytes)
    if (found === null) isFresh = false
    known = found ?? known
    return known
  }

  return {
    async names(isAtPrompt) {
      if (asking !== null) return asking
      if (isFresh || isMute || !isAtPrompt) return known
      asking = ask().finally(() => (asking = null))
      return asking
    },
    onMark({ kind }) {
      if (kind === 'output-start' || kind === 'output-end') isFresh = false
    },
  }
}

function inTime(bytes: Promise<Buffer>): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, answerMs, null)
    void bytes.then(resolve).finally(() => clearTimeout(timer))
  })
}
