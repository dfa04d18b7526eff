import { newShell } from './shell.ts'
import type { TerminalState } from './state.ts'

/** A terminal as its holder is found, before anything was heard. */
export function startTerminal(found: {
  generation: number
  shellPid: number
  head: number
  entering: string | null
}): TerminalState {
  const base = newShell({ level: 0, pid: found.shellPid, ptyAt: 0, isByKeys: false, isSeen: true })
  return {
    generation: found.generation,
    shells: [base],
    head: found.head,
    stamp: 0,
    entering: found.entering,
    gone: [],
    exit: null,
    ending: null,
    isEndTold: false,
  }
}
