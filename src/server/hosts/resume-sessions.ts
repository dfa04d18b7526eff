import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../protocol/limits.ts'
import {
  isDeleted,
  type SessionFolder,
  sessionFolders,
  unmarkDeleted,
} from '../damage/session-folders.ts'
import type { HostSet } from './host-set.ts'
import type { EventStore } from '../store/store.ts'
import { endHolder } from '../terminal/holder/end-holder.ts'
import { findHolder } from '../terminal/holder/start-holder.ts'
import { within } from '../terminal/within.ts'

export interface ResumeDeps {
  store: EventStore
  /** The data folder. */
  home: string
  hosts: Pick<HostSet, 'own' | 'isKnown'>
  diagnose(message: string, error: unknown): void
}

/** Each reads a log and asks a holder: more at once would hold up those who connect meanwhile. */
const resumedAtOnce = 8
/** So long a start waits for a session whose disk or holder does not answer. */
const patienceMs = 5_000

/** Opens what an earlier server left under way, so that it goes on without a client, and ends stray shells. */
export async function resumeSessions(deps: ResumeDeps): Promise<void> {
  const { store, home, hosts, diagnose } = deps
  const left = await store.list({ live: true, limit: limits.resumedSessions })
  // A session that cannot be opened yet, for its disk is full, goes on by itself.
  await inGroups(left, resumedAtOnce, ({ id }) =>
    within(patienceMs, hosts.own(id)).catch((error: unknown) =>
      diagnose(`cannot resume session ${id}`, error),
    ),
  )
  for await (const held of sessionFolders(home))
    await endStray(deps, held).catch((error: unknown) =>
      diagnose(`cannot end the holder of session ${held.id}`, error),
    )
}

/**
 * A shell is a stray one when no log tells of it: the server died while it started, or the session is gone. The folder
 * of a session that nobody deleted stays: it is what is left of a log that was lost.
 */
async function endStray(
  { hosts, store }: ResumeDeps,
  { id, folder }: SessionFolder,
): Promise<void> {
  const isGoing = await isDeleted(folder)
  if (hosts.isKnown(id) || (!isGoing && !(await hasHolder(folder)))) return
  const summary = await store.summary(id)
  if (summary?.live) return
  // Opening a session ends what its log does not know.
  if (summary !== null) return void (await hosts.own(id))
  await endHolder(folder)
  if (!isGoing) return
  await rm(folder, { recursive: true, force: true })
  await unmarkDeleted(folder)
}

/** Its run file names a holder that lives. */
async function hasHolder(folder: string): Promise<boolean> {
  const runFile = await stat(join(folder, 'holder.json')).catch(() => null)
  return runFile !== null && findHolder(folder) !== null
}

/** Does the work for each, so many at once. */
async function inGroups<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const left = all.values()
  const workers = Array.from({ length: atOnce }, async () => {
    for (const one of left) await work(one)
  })
  await Promise.all(workers)
}
