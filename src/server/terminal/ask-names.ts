import type { HolderClient } from './holder-client.ts'
import { readNames, type ShellNames } from './shell-names.ts'

export interface AskNames {
  /** As of the last prompt at which it could be asked; null when there was none yet. */
  names(at: { isAtPrompt: boolean; stamp: number }): Promise<ShellNames | null>
}

/** The holder itself waits a while; one of an earlier version does not know the question. */
const answerMs = 3_000

/** Asks the shell once a stamp at most, and never while something runs. */
export function createAskNames(client: Pick<HolderClient, 'names'>): AskNames {
  let known: ShellNames | null = null
  let askedAt: number | null = null
  let asking: Promise<ShellNames | null> | null = null
  let isMute = false

  async function ask(stamp: number): Promise<ShellNames | null> {
    const bytes = await inTime(client.names())
    isMute = bytes === null
    const found = bytes === null ? null : readNames(bytes)
    askedAt = found === null ? null : stamp
    known = found ?? known
    return known
  }

  return {
    async names({ isAtPrompt, stamp }) {
      if (asking !== null) return asking
      if (askedAt === stamp || isMute || !isAtPrompt) return known
      asking = ask(stamp).finally(() => (asking = null))
      return asking
    },
  }
}

function inTime(bytes: Promise<Buffer>): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, answerMs, null)
    void bytes.then(resolve).finally(() => clearTimeout(timer))
  })
}
