import type { Integration } from '../../../protocol/events/shell.ts'
import { shownIntegration, shownPhase, topShell } from '../../../terminal/shells.ts'
import { isNestedPrompt } from '../shell/find-adoptable.ts'
import type { Foreground } from '../probe/classify.ts'
import { watchForeground, type ForegroundWatch } from '../probe/watch-foreground.ts'
import type { AttachedShell } from './live-view.ts'

/** A place where a shell inside the session's own could be. */
interface Place {
  /** The session's own shell, and the terminal it has. */
  shellPid: number
  pts: string
  /** The integration of the shell that commands run in now. */
  integration: Integration
  /** That shell is inside another one itself. */
  isAdopted: boolean
}

/** Tells whether a shell that nobody hears waits at its prompt: it could be adopted. */
export function watchNestedShell(onChange: () => void) {
  let watch: ForegroundWatch | null = null
  let place: Place | null = null
  let seen: Foreground | null = null
  let reported = false

  const isThere = () => place !== null && seen !== null && isNested(seen, place)

  function start({ shellPid, pts }: Place): ForegroundWatch {
    return watchForeground({ shellPid, pts }, (found) => {
      seen = found
      if (isThere() !== reported) onChange()
    })
  }

  return {
    /** Watches what runs in this shell from now on; null: there is nothing to be seen, or nobody who looks. */
    follow(shown: AttachedShell | null): void {
      const next = shown && placeIn(shown)
      const isOther = next?.shellPid !== place?.shellPid
      place = next
      if (isOther) {
        watch?.stop()
        seen = null
        watch = next && start(next)
      }
      reported = isThere()
    },
    /** Something was printed. */
    stir: () => watch?.stir(),
    isThere: () => reported,
  }
}

/** Null unless something runs that the shell does not tell of. */
function placeIn({ shell, hello: { shellPid, pts } }: AttachedShell): Place | null {
  const state = shell.state()
  const integration = shownIntegration(topShell(state))
  const phase = shownPhase(state)
  const isRunning = phase === 'running' || (phase === 'prompt' && integration === 'none')
  return isRunning ? { shellPid, pts, integration, isAdopted: state.shells.length > 1 } : null
}

/** Nobody can say what reads in an adopted shell behind a program that carries the terminal elsewhere. */
function isNested(seen: Foreground, { shellPid, integration, isAdopted }: Place): boolean {
  if (!isNestedPrompt(seen, isAdopted ? 'shell' : 'any')) return false
  // The shell's own `read -e` looks like a prompt, too; one that is not heard became another program.
  return seen.pid !== shellPid || integration === 'none'
}
