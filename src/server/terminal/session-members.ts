import { setTimeout as delay } from 'node:timers/promises'
import { listProcesses, type ProcessRow } from '../one-shot/process-table.ts'

/** Those who end at the same time ask within it; to one alone it makes no difference. */
const gatherMs = 5
/** Those who still come are waited for, but nobody longer than this. */
const mostMs = 40

export type SessionMembers = (session: number) => Promise<readonly number[] | null>

/**
 * The living processes of a session; null where nobody can tell. The whole process table has to be read for it, so one reading
 * serves all who ask before it begins.
 */
export function createSessionMembers(
  list: () => readonly ProcessRow[] | null,
  wait: (ms: number) => Promise<unknown> = delay,
): SessionMembers {
  let next: Promise<ReadonlyMap<number, readonly number[]> | null> | null = null
  let asking = 0

  async function look(): Promise<ReadonlyMap<number, readonly number[]> | null> {
    let heard = 0
    for (let waited = 0; waited < mostMs && heard < asking; waited += gatherMs) {
      heard = asking
      await wait(gatherMs)
    }
    next = null
    asking = 0
    const rows = list()
    return rows && bySession(rows)
  }

  return async (session) => {
    asking += 1
    next ??= look()
    const found = await next
    return found && (found.get(session) ?? [])
  }
}

/** One for the whole server: its holders end together. */
export const sessionMembers = createSessionMembers(listProcesses)

function bySession(rows: readonly ProcessRow[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const { session, pid } of rows) {
    const members = found.get(session)
    if (members === undefined) found.set(session, [pid])
    else members.push(pid)
  }
  return found
}
