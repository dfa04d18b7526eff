import { readlinkSync } from 'node:fs'
import type { Probed } from '../../protocol/holder.ts'
import type { Replaced } from './shell-image.ts'

export interface IdleWatch {
  /** The shell spoke or printed: it is not idle. */
  stir: () => void
  leave: () => void
}

export interface IdleWatchOptions {
  shellPid: number
  /** Null: the kernel cannot see this shell, and its marks have to do. */
  probe: (() => Promise<Probed | null>) | null
  /** The marks say it is over but for one that is missing; without that, silence must last longer. */
  likely: () => boolean
  /** What has taken the shell's place: another shell that reads keys is at a prompt of its own. */
  replacedBy: () => Replaced | null
  onIdle: () => void
}

const firstMs = 150
const maxMs = 1000
/** How often in a row a shell must look idle when no mark says so: a moment between two commands does not count. */
const timesUnlikely = 3

/**
 * Finds out that a shell is back at its prompt though no mark came (its hooks were unset, or its
 * prompt goes to a file). Asked of the kernel, and only after a silence.
 */
export function createIdleWatch(options: IdleWatchOptions): IdleWatch {
  const { shellPid, probe, likely, replacedBy, onIdle } = options
  let stirred = performance.now()
  let waitMs = firstMs
  let times = 0
  let left = false
  let timer = setTimeout(look, firstMs)

  function look(): void {
    const quietFor = performance.now() - stirred
    if (quietFor < firstMs) {
      times = 0
      waitMs = firstMs
      timer = setTimeout(look, firstMs - quietFor)
      return
    }
    const asked = stirred
    void (probe?.() ?? Promise.resolve(null)).then((probed) => {
      if (left) return
      const looksIdle = probe === null ? likely() : looksIdleIn(probed)
      times = looksIdle && asked === stirred ? times + 1 : 0
      if (times >= (likely() ? 1 : timesUnlikely)) return onIdle()
      waitMs = Math.min(waitMs * 2, maxMs)
      timer = setTimeout(look, waitMs)
    })
  }

  function looksIdleIn(probed: Probed | null): boolean {
    if (probed === null) return false
    const isLikely = likely()
    if (!isAtPrompt(probed, shellPid) && !isReading(probed, shellPid)) return false
    if (isLikely) return true
    const replaced = replacedBy()
    return replaced === null ? isAtPrompt(probed, shellPid) : replaced === 'shell'
  }

  return {
    stir() {
      stirred = performance.now()
    },
    leave() {
      left = true
      clearTimeout(timer)
    },
  }
}

/** select and pselect6 on x64, pselect6 on arm64: what a line editor waits in, and without a time limit. */
const waitingCalls = new Set(['23', '270', '72'])

export function isAtPrompt({ foreground, syscall }: Probed, shellPid: number): boolean {
  if (foreground !== shellPid || syscall === null) return false
  const [call = '', , , , , timeLimit] = syscall.split(' ')
  return waitingCalls.has(call) && timeLimit === '0x0'
}

/** On x64 and arm64. */
const [readCalls, pollCalls] = [new Set(['0', '63']), new Set(['7', '271', '73'])]

/** How zsh and fish wait for keys. Their own `read` waits the same way, so it says little alone. */
function isReading({ foreground, syscall }: Probed, shellPid: number): boolean {
  const [call = '', from = ''] = syscall?.split(' ') ?? []
  if (foreground !== shellPid) return false
  return pollCalls.has(call) || (readCalls.has(call) && isTerminal(shellPid, Number(from)))
}

/** A prompt may hold the output of a command, which is read from a pipe. */
function isTerminal(pid: number, descriptor: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith('/dev/pts/')
  } catch {
    // Another user's.
    return true
  }
}
