import { constants } from 'node:os'

export interface LadderSteps {
  interrupt: () => void
  signal: (signal: number) => void
  restart: () => void
  onStatus: (status: 'stopping' | 'killing') => void
}

export interface StopLadder {
  climb: () => void
  /** The run is over. */
  leave: () => void
}

const { SIGTERM, SIGKILL } = constants.signals
const termMs = 2000
const killMs = 5000
/** After a kill the prompt comes back at once, or the shell itself is what hangs. */
const restartMs = 7000

/** Ctrl+C first; a program that does not listen is ended by ever stronger means, and the shell last. */
export function createStopLadder({
  interrupt,
  signal,
  restart,
  onStatus,
}: LadderSteps): StopLadder {
  let timers: NodeJS.Timeout[] | null = null
  return {
    climb() {
      if (timers !== null) return
      onStatus('stopping')
      interrupt()
      timers = [
        setTimeout(() => signal(SIGTERM), termMs),
        setTimeout(() => {
          onStatus('killing')
          signal(SIGKILL)
        }, killMs),
        setTimeout(restart, restartMs),
      ]
    },
    leave() {
      for (const timer of timers ?? []) clearTimeout(timer)
    },
  }
}
