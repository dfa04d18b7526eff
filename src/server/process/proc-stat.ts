import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The kernel's words on a process in `/proc/<pid>/stat`. */
export interface ProcStat {
  name: string
  /** From its state on; the manual counts that as the third. */
  fields: readonly string[]
}

/** Null when there is no such process (any more). */
export function readStat(pid: number): ProcStat | null {
  const stat = readProc(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The name is in brackets and may hold anything, so fields count from the last bracket.
  const nameEnd = stat.lastIndexOf(')')
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    fields: stat.slice(nameEnd + 2).split(' '),
  }
}

/** A file that the kernel writes; null when it cannot be read. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

/** The foreground process group of a process's terminal; null when there is no such process (any more). */
export function foregroundOf(pid: number): number | null {
  const stat = readStat(pid)
  return stat === null ? null : Number(stat.fields[5])
}

/** Every process that this one may see. Throws where there is no `/proc`. */
export function allPids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** A variable of the environment that a process was started with. Others' cannot be read, and have none. */
export async function startedWith(pid: number, name: string): Promise<string | null> {
  // Its memory may be busy; that must not hold up the server.
  const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  const line = environ.split('\0').find((each) => each.startsWith(`${name}=`))
  return line?.slice(name.length + 1) ?? null
}
