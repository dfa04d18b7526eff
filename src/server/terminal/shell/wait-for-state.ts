import type { TerminalState } from '../../../terminal/state.ts'

/** Resolves with the first value that a state has; null when the time is up, or the shell is over. */
export type Until = <T>(found: (state: TerminalState) => T | null, ms: number) => Promise<T | null>

export interface Waiters {
  until: Until
  look(state: TerminalState): void
}

/** Nothing more will be heard. One that is being ended still says that it has. */
function isGone({ exit, ending }: TerminalState): boolean {
  return exit !== null || ending === 'left'
}

type Look = (state: TerminalState) => boolean

export function createWaiters(): Waiters {
  const looks = new Set<Look>()
  let last: TerminalState | null = null

  function until<T>(found: (state: TerminalState) => T | null, ms: number): Promise<T | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(null), ms)
      const done = (value: T | null): boolean => {
        clearTimeout(timer)
        looks.delete(look)
        resolve(value)
        return true
      }
      const look: Look = (state) => {
        const value = found(state)
        return value !== null || isGone(state) ? done(value) : false
      }
      if (last !== null && look(last)) return
      looks.add(look)
    })
  }

  return {
    until,
    look(state) {
      last = state
      for (const look of looks) look(state)
    },
  }
}
