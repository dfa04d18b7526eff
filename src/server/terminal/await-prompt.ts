import { createIdleWatch } from './idle-watch.ts'
import type { RunShell } from './run-shell.ts'

/** For whoever comes after the last command's end and before the prompt. */
export interface PromptWait {
  /** False when the prompt does not come, or whoever waits gives up. */
  wait: (signal: AbortSignal) => Promise<boolean>
  /** The shell says that it reads, or will never say anything again; the kernel may tell before. */
  said: () => void
}

/** What draws a prompt may ask the network; longer than this it hangs, and is interrupted. */
const hangMs = 10_000
const interruptKey = '\x03'

export function createPromptWait(shell: RunShell): PromptWait {
  const waiting = new Set<(isBack: boolean) => void>()

  function wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const idle = createIdleWatch({
        shellPid: shell.pid,
        probe: shell.probe,
        likely: () => true,
        replacedBy: shell.replacedBy,
        onIdle: () => leave(true),
      })
      let timer = setTimeout(() => {
        shell.input(interruptKey)
        timer = setTimeout(leave, hangMs, false)
      }, hangMs)
      const onAbort = () => leave(false)
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.add(leave)

      function leave(isBack: boolean): void {
        waiting.delete(leave)
        idle.leave()
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        resolve(isBack)
      }
    })
  }

  return {
    wait,
    said() {
      for (const leave of waiting) leave(true)
    },
  }
}
