import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 10

/** Every living process whose environment says this; holders have none. */
export function livingWith(words: string): number[] {
  return livingPids().filter((pid) => read(`/proc/${pid}/environ`).includes(words))
}

/** The parent of a process: of a shell, its holder. */
export function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1])
}

export function childrenOf(pid: number): number[] {
  return livingPids().filter((other) => parentOf(other) === pid)
}

export function isLiving(pid: number): boolean {
  const [state] = fieldsOf(pid)
  return state !== undefined && state !== 'Z'
}

/** Resolves when all of them are gone: the kernel has no event for what is not our child. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isLiving)) await delay(pollMs)
}

function livingPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isLiving)
}

/** From the state on; nothing of a process that is gone. */
function fieldsOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
