import { readlinkSync } from 'node:fs'

/** Where a process is, as the kernel says; null where it says nothing. */
export function linkedCwd(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}
