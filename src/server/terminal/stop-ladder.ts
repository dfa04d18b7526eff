import { constants } from 'node:os'

export type StopStep = 'INT' | 'TERM' | 'KILL'

export interface LadderSteps {
  interrupt: () => void
  signal: (signal: number) => void
  restart: () => void
  /** Told before each is taken. */
  onStep: (step: StopStep) => void
}

export interface StopLadder {
  climb: () => void
  /** The run is over. */
  leave: () => void
}

const { SIGTERM, SIGKILL } = constants.signals
export const termMs = 2000
export const killMs = 5000
/** After a kill the prompt comes back at once, or the shell itself is what hangs. */
const restartMs = 7000

/** Ctrl+C first; a program that does not listen is ended by ever stronger means, and the shell last. */
export function createStopLadder({ interrupt, signal, restart, onStep }: LadderSteps): StopLadder {
  let timers: NodeJS.Timeout[] | null = null
  return {
    climb() {
      if (timers !== null) return
      const step = (name: StopStep, number: number) => () => {
        onStep(name)
        signal(number)
      }
      onStep('INT')
      interrupt()
      timers = [
        setTimeout(step('TERM', SIGTERM), termMs),
        setTimeout(step('KILL', SIGKILL), killMs),
        setTimeout(restart, restartMs),
      ]
    },
    leave() {
      for (const timer of timers ?? []) clearTimeout(timer)
    },
  }
}
