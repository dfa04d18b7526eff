import { findMembers } from './members.ts'
import { readChildren, readProcess } from './proc.ts'
import { procFiles, type ProcFiles } from './proc-files.ts'

export interface WorkMeter {
  /** Whether the foreground has computed since the last time it was asked; the first time, no. */
  hasWorked: () => boolean
}

export interface WorkMeterOptions {
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
export function createWorkMeter(options: WorkMeterOptions): WorkMeter {
  const { shellPid, files = procFiles, now = () => performance.now() } = options
  let last: { at: number; used: ReadonlyMap<number, number> } | null = null

  return {
    hasWorked() {
      const before = last
      last = { at: now(), used: readUsed(files, shellPid) }
      if (before === null) return false
      let ticks = 0
      for (const [pid, used] of last.used) ticks += Math.max(0, used - (before.used.get(pid) ?? 0))
      return ticks > 1 && ticks * tickMs >= (last.at - before.at) * leastShare
    },
  }
}

/** Processor time by process. */
function readUsed(files: ProcFiles, shellPid: number): ReadonlyMap<number, number> {
  const used = new Map<number, number>()
  const shell = readProcess(files, shellPid)
  const group = shell?.foreground ?? 0
  if (shell === null || group <= 0) return used
  // It has what programs used that came and went; its other children are jobs in the background.
  used.set(shellPid, shell.usedTicks)
  let level = findMembers(files, { shell: shellPid, group }).found.map(({ pid }) => pid)
  while (level.length > 0 && used.size < maxProcesses) {
    const next: number[] = []
    for (const pid of level) {
      const process = used.has(pid) ? null : readProcess(files, pid)
      if (process === null || used.size >= maxProcesses) continue
      used.set(pid, process.usedTicks)
      next.push(...readChildren(files, process, maxThreads).found)
    }
    level = next
  }
  return used
}
