import { join } from 'node:path'
import { countTasks } from '../../one-shot/process-table.ts'
import { readProc } from '../../process/proc-stat.ts'

/** A shell's limit of processes, which its runs may come up against. */
export interface TaskLimit {
  /** A run has lasted: from now on the limit is looked at. */
  begin: () => void
  /** A sentence when not everything could be started since the last run ended; else null. */
  end: () => string | null
}

/** The time between two looks, while a run lasts, at a limit whose hits nobody counts. */
const lookMs = 500

/**
 * The kernel counts each process that it refuses to start in a control group. The limit of a user has
 * no such counter: there it is only seen, now and then, that it is reached, and a moment may be missed. Null
 * where there is no limit.
 */
export function createTaskLimit(shellPid: number): TaskLimit | null {
  const group = groupsOf(read(`/proc/${shellPid}/cgroup`)).find(
    (folder) => hitsIn(folder) !== null && /^\d+$/m.test(read(join(folder, 'pids.max'))),
  )
  return group === undefined ? limitOfUser(shellPid) : limitOfGroup(group)
}

const root = '/sys/fs/cgroup'

function groupsOf(said: string): readonly string[] {
  const own = /^0::(\/.*)$/m.exec(said)?.[1]
  const counted = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(\/.*)$/m.exec(said)?.[1]
  return [
    ...(own === undefined ? [] : [join(root, own)]),
    ...(counted === undefined ? [] : [join(root, 'pids', counted)]),
  ]
}

function limitOfGroup(folder: string): TaskLimit {
  let last = hitsIn(folder)
  return {
    begin() {},
    end() {
      const before = last
      last = hitsIn(folder)
      if (before === null || last === null || last <= before) return null
      const most = read(join(folder, 'pids.max')).trim()
      return `The limit of ${most} processes for this shell was hit: not everything could be started.`
    },
  }
}

/** The number of processes that could not be started in a group. */
function hitsIn(folder: string): number | null {
  const hits = /^max (\d+)$/m.exec(read(join(folder, 'pids.events')))?.[1]
  return hits === undefined ? null : Number(hits)
}

function limitOfUser(shellPid: number): TaskLimit | null {
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
  let timer: NodeJS.Timeout | undefined
  return {
    begin() {
      timer ??= setInterval(() => {
        reached ||= isReached()
      }, lookMs).unref()
    },
    end() {
      clearInterval(timer)
      timer = undefined
      const wasReached = reached || isReached()
      reached = false
      if (!wasReached) return null
      return `The limit of ${most} processes for this user was reached: not everything may have been started.`
    },
  }
}

function read(path: string): string {
  return readProc(path) ?? ''
}
