import { setTimeout as delay } from 'node:timers/promises'
import { listProcesses, sendSignal } from '../../one-shot/process-table.ts'
import { startedWith } from '../../process/proc-stat.ts'
import { createHash } from 'node:crypto'

/** In the environment of a shell, and so of everything that it starts: `setsid` and a double fork do not hide it. */
export const shellMarkName = 'TANDEM_SHELL'

/** Time to save something, not to go on working. */
const politeMs = 500
const pollMs = 20
/** Something that starts others as it ends is looked for again. */
const maxLooks = 3
/** Shells that end at the same time ask within it. */
const gatherMs = 5

/** The mark that a living process was started with; null when it has none, or is somebody else's. */
export async function shellMark(pid: number): Promise<string | null> {
  return (await startedWith(pid, shellMarkName)) || null
}

/** Ends what a shell started and sent away, by its mark alone: a process without it is a stranger's. */
export async function endStrays(mark: string): Promise<void> {
  for (let look = 0; look < maxLooks; look += 1) {
    const strays = await marked(mark)
    if (strays.length === 0) return
    for (const pid of strays) {
      sendSignal(pid, 'SIGHUP')
      sendSignal(pid, 'SIGCONT')
    }
    if (await areGone(strays, mark)) continue
    // The number of one that has ended may be somebody else's by now.
    for (const pid of strays) if ((await shellMark(pid)) === mark) sendSignal(pid, 'SIGKILL')
  }
}

async function areGone(pids: readonly number[], mark: string): Promise<boolean> {
  for (let left = politeMs; left > 0; left -= pollMs) {
    const marks = await Promise.all(pids.map(shellMark))
    if (!marks.includes(mark)) return true
    await delay(pollMs)
  }
  return false
}

let next: Promise<ReadonlyMap<string, readonly number[]>> | null = null

/** Every process of the machine has to be looked at for it, so one look serves all who ask before it begins. */
async function marked(mark: string): Promise<readonly number[]> {
  next ??= lookAtAll()
  return (await next).get(mark) ?? []
}

async function lookAtAll(): Promise<ReadonlyMap<string, readonly number[]>> {
  await delay(gatherMs)
  next = null
  const found = new Map<string, number[]>()
  for (const { pid } of listProcesses() ?? []) {
    const mark = pid === process.pid ? null : await shellMark(pid)
    if (mark !== null) found.set(mark, [...(found.get(mark) ?? []), pid])
  }
  return found
}

/** The marks of all shells of a data folder begin so: those of another one are strangers'. */
export function markPrefix(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 8)
}
