import type { Uninjected } from '../../protocol/holder.ts'
import type { RunShell } from './run-shell.ts'
import type { RunWatch, TerminalRun } from './terminal.ts'

export interface RunEntryDeps {
  shell: Pick<RunShell, 'withdraw' | 'input' | 'interrupt'>
  run: Pick<TerminalRun, 'id'>
  watch: Pick<RunWatch, 'signal' | 'onStatus'>
  /** The shell has taken it. */
  isLoaded: () => boolean
  climb: () => void
  onUnstarted: (why: string) => void
}

/** The way of a command into its shell, which may let it wait, and may not take it. */
export interface RunEntry {
  /** What the shell has not taken is taken back; if it is too late for that, the shell says so. */
  stop: () => void
  /** As `stop`, for one that waits for a shell that does not read; false if that is not so. */
  takeBack: () => boolean
  /** The shell does not read. */
  onLate: () => void
  /** The shell has taken it, wanted or not. */
  onLoaded: () => void
  onUninjected: (uninjected: Uninjected) => void
  /** Where it could not be entered, the shell is ready for another. */
  onPrompt: () => void
}

const interruptKey = '\x03'
/** After Ctrl+C on a line that could not be entered, the prompt comes back at once if it ever does. */
const cleanMs = 1000

export function createRunEntry(deps: RunEntryDeps): RunEntry {
  const { shell, run, watch, isLoaded, climb, onUnstarted } = deps
  let isLate = false
  let isUnwanted = false
  let uninjected: string | null = null

  return {
    stop: () => (isLoaded() ? climb() : shell.withdraw(run.id)),
    takeBack() {
      if (!isLate || isLoaded()) return false
      isUnwanted = true
      shell.withdraw(run.id)
      return true
    },
    onLate() {
      if (isLoaded()) return
      isLate = true
      watch.onStatus('shell')
    },
    onLoaded() {
      if (watch.signal.aborted) climb()
      else if (isUnwanted) shell.interrupt()
    },
    onUninjected({ reason, isWithdrawn }) {
      uninjected = `The command was not run: ${reason}.`
      if (isWithdrawn === true) return onUnstarted(uninjected)
      shell.input(interruptKey)
      setTimeout(onUnstarted, cleanMs, uninjected)
    },
    onPrompt() {
      if (uninjected !== null) onUnstarted(uninjected)
    },
  }
}
