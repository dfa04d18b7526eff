import { type ProcessFacts, readChildren, readProcess, findMembers } from './read-process.ts'
import { procFiles, type ProcFiles } from './proc-files.ts'

interface WorkMeterOptions {
  shellPid: number
  files?: ProcFiles
  now?: () => number
}

/** The kernel counts processor time in these, whatever its own clock. */
const tickMs = 10
/** A program that waits wakes up now and then; one that works uses far more than this part of the time. */
const leastShare = 0.02
/** More are not looked at: of a build that large the first are busy enough. */
const maxProcesses = 256
const maxThreads = 32

/**
 * Tells work from silence by processor time: of the foreground's programs and of all below them, also
 * of those that have ended meanwhile. It reads a file or two a process, so it is asked rarely.
 */
export function createWorkMeter(options: WorkMeterOptions) {
  const { shellPid, files = procFiles, now = () => performance.now() } = options
  let last: (Used & { at: number }) | null = null

  return {
    /** Whether the foreground has computed since the last time it was asked; the first time, no. */
    hasWorked(): boolean {
      const before = last
      last = { at: now(), ...readUsed(files, shellPid) }
      if (before === null) return false
      // On a machine with much to do it may have got no time, though it wants all there is.
      if (last.isRunnable) return true
      let ticks = 0
      for (const [pid, used] of last.used) ticks += Math.max(0, used - (before.used.get(pid) ?? 0))
      return ticks > 1 && ticks * tickMs >= (last.at - before.at) * leastShare
    },
  }
}

interface Used {
  /** Processor time by process. */
  used: ReadonlyMap<number, number>
  /** One of them runs, or waits only for a processor or a disk. */
  isRunnable: boolean
}

const isBusy = ({ state }: ProcessFacts) => state === 'R' || state === 'D'

function readUsed(files: ProcFiles, shellPid: number): Used {
  const used = new Map<number, number>()
  const shell = readProcess(files, shellPid)
  const group = shell?.foreground ?? 0
  if (shell === null || group <= 0) return { used, isRunnable: false }
  let isRunnable = isBusy(shell)
  // It has what programs used that came and went; its other children are jobs in the background.
  used.set(shellPid, shell.usedTicks)
  let level = findMembers(files, { shell: shellPid, group }).found.map(({ pid }) => pid)
  while (level.length > 0 && used.size < maxProcesses) {
    const next: number[] = []
    for (const pid of level) {
      const process = used.has(pid) ? null : readProcess(files, pid)
      if (process === null || used.size >= maxProcesses) continue
      used.set(pid, process.usedTicks)
      isRunnable ||= isBusy(process)
      next.push(...readChildren(files, process, maxThreads).found)
    }
    level = next
  }
  return { used, isRunnable }
}
