import type { Integration } from '../../../protocol/shell.ts'
import { isNestedPrompt } from '../find-adoptable.ts'
import type { Foreground } from '../probe/classify.ts'
import { watchForeground, type ForegroundWatch } from '../probe/watch.ts'

/** Where a shell inside the session's own would be. */
export interface Inside {
  /** The session's own shell, and the terminal it has. */
  shellPid: number
  pts: string
  /** How well the shell is heard that commands run in now. */
  integration: Integration
  /** That shell is inside another one itself. */
  isAdopted: boolean
}

/** Whether a shell waits at its prompt that nobody hears: it could be adopted. */
export interface NestedShell {
  /** Looks there from now on; null: there is nothing to be seen, or nobody who looks. */
  follow(inside: Inside | null): void
  /** Something was printed. */
  stir(): void
  isThere(): boolean
}

export function createNestedShell(onChange: () => void): NestedShell {
  let watch: ForegroundWatch | null = null
  let inside: Inside | null = null
  let seen: Foreground | null = null
  let told = false

  const isThere = () => inside !== null && seen !== null && isNested(seen, inside)

  function look({ shellPid, pts }: Inside): ForegroundWatch {
    return watchForeground({ shellPid, pts }, (found) => {
      seen = found
      if (isThere() !== told) onChange()
    })
  }

  return {
    follow(next) {
      const isOther = next?.shellPid !== inside?.shellPid
      inside = next
      if (isOther) {
        watch?.stop()
        seen = null
        watch = next && look(next)
      }
      told = isThere()
    },
    stir: () => watch?.stir(),
    isThere: () => told,
  }
}

/** Behind a program that carries the terminal elsewhere nobody can say what reads in an adopted shell. */
function isNested(seen: Foreground, { shellPid, integration, isAdopted }: Inside): boolean {
  if (!isNestedPrompt(seen, isAdopted ? 'shell' : 'any')) return false
  // The shell's own `read -e` looks like a prompt, too; one that is not heard became another program.
  return seen.pid !== shellPid || integration === 'none'
}
