import { readdirSync, readFileSync } from 'node:fs'

/** All threads of a user, as the kernel counts them for its limit; null where it cannot be seen. */
export function countTasks(uid: number): number | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, name) => sum + threadsOf(name, uid), 0)
  } catch {
    return null
  }
}

function threadsOf(pid: string, uid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const real = /^Uid:\s*(\d+)/m.exec(status)?.[1]
    return Number(real) === uid ? Number(/^Threads:\s*(\d+)/m.exec(status)?.[1] ?? 0) : 0
  } catch {
    return 0
  }
}
