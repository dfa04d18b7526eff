import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTasks } from '../one-shot/count-tasks.ts'

/** Whether a run came up against the limit of processes of its shell. */
export interface TaskWatch {
  /** A sentence when not everything could be started since it began; else null. */
  end: () => string | null
}

export interface TaskWatchOptions {
  shellPid: number
  /** Where control groups are. */
  cgroupRoot?: string
}

/** As often as that a limit nobody counts hits of is looked at while a run lasts. */
const lookMs = 500

/**
 * In a control group the kernel counts each process that it refuses to start. The limit of a user has
 * no such counter: there it is only seen, now and then, that it is reached, and a moment may be missed.
 */
export function watchTasks(options: TaskWatchOptions): TaskWatch | null {
  const { shellPid, cgroupRoot = '/sys/fs/cgroup' } = options
  const group = groupsOf(read(`/proc/${shellPid}/cgroup`), cgroupRoot).find(
    (folder) => hitsIn(folder) !== null && /^\d+$/m.test(read(join(folder, 'pids.max'))),
  )
  return group === undefined ? watchUser(shellPid) : watchGroup(group)
}

function groupsOf(said: string, root: string): readonly string[] {
  const own = /^0::(\/.*)$/m.exec(said)?.[1]
  const counted = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(\/.*)$/m.exec(said)?.[1]
  return [
    ...(own === undefined ? [] : [join(root, own)]),
    ...(counted === undefined ? [] : [join(root, 'pids', counted)]),
  ]
}

function watchGroup(folder: string): TaskWatch {
  const before = hitsIn(folder)
  return {
    end() {
      const after = hitsIn(folder)
      if (before === null || after === null || after <= before) return null
      const most = read(join(folder, 'pids.max')).trim()
      return `The limit of ${most} processes for this shell was hit: not everything could be started.`
    },
  }
}

/** How often a process could not be started in a group. */
function hitsIn(folder: string): number | null {
  const hits = /^max (\d+)$/m.exec(read(join(folder, 'pids.events')))?.[1]
  return hits === undefined ? null : Number(hits)
}

function watchUser(shellPid: number): TaskWatch | null {
  const most = Number(/^Max processes +(\d+)/m.exec(read(`/proc/${shellPid}/limits`))?.[1])
  const uid = Number(/^Uid:\s+(\d+)/m.exec(read(`/proc/${shellPid}/status`))?.[1])
  // The system does not count root's processes.
  if (!Number.isInteger(most) || !Number.isInteger(uid) || uid === 0) return null

  /** All tasks of the machine are read from one line; only if they are many enough is the user counted. */
  function isReached(): boolean {
    const all = Number(/\/(\d+)/.exec(read('/proc/loadavg'))?.[1] ?? 0)
    return all >= most && (countTasks(uid) ?? 0) >= most - 1
  }

  let reached = false
  const timer = setInterval(() => {
    reached ||= isReached()
  }, lookMs)
  timer.unref()
  return {
    end() {
      clearInterval(timer)
      if (!reached && !isReached()) return null
      return `The limit of ${most} processes for this user was reached: not everything may have been started.`
    },
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
