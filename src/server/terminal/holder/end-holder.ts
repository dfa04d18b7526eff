import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectHolder } from './connect-holder.ts'
import type { HolderEvents, HolderClient } from './client.ts'
import { findHolder, isAlive } from './start-holder.ts'
import { within } from '../within.ts'
import { listProcesses, sendSignal } from '../../one-shot/process-table.ts'
import type { HolderFile, MoveRequest } from '../../../protocol/holder/holder.ts'

/** The holder asks what it holds to go, and then makes it; that takes three seconds at most. */
export const endMs = 5_000
/** A killed process is gone at once, unless the kernel waits for a disk. */
const killedMs = 1_000
const pollMs = 10

/**
 * Ends whatever holder a session's folder still has, by asking it, and by force if it does not answer or was asked
 * in vain before.
 */
export async function endHolder(folder: string, { isAsked = false } = {}): Promise<void> {
  const holder = findHolder(folder)
  if (holder === null) return
  const ended = !isAsked && (await within(endMs, askToEnd(holder.socket)).catch(() => false))
  // The socket closes a moment before the process is gone; only one that never answered is killed.
  if (!ended && isAlive(holder)) {
    killHolder(holder.pid)
    for (let left = killedMs; left > 0 && isAlive(holder); left -= pollMs) await delay(pollMs)
  }
  rmSync(join(folder, 'holder.json'), { force: true })
}

async function askToEnd(socket: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    connectHolder(socket, (_hello, client) => {
      client.end()
      return { events: noEvents(resolve), value: null }
    }).catch(reject)
  })
}

/**
 * Ends a holder that does not answer, and all that runs in the session of its shell: what it holds nobody could
 * reach again. The shell goes first: as long as its parent has not seen it end, its number is nobody else's.
 */
export function killHolder(holder: number): void {
  const living = listProcesses() ?? []
  const shells = new Set(living.filter(({ parent }) => parent === holder).map(({ pid }) => pid))
  for (const { pid, session } of living) if (shells.has(session)) sendSignal(pid, 'SIGKILL')
  sendSignal(holder, 'SIGKILL')
}

/** Events for a connection that only asks for something. */
export function noEvents(onClose: () => void = ignore): HolderEvents {
  return {
    onData: ignore,
    onMark: ignore,
    onExit: ignore,
    onKept: ignore,
    onUninjected: ignore,
    onClose,
  }
}

function ignore(): void {}

/** The folder and generation of a shell before it was taken over. */
export interface FormerHolder {
  folder: string
  generation: number
}

/**
 * A shell that was taken over is still where it was: the server died in between. It is called from there; one
 * that does not come is ended, for no session has it.
 */
export async function callHolder(from: FormerHolder, to: MoveRequest): Promise<HolderFile | null> {
  const held = findHolder(from.folder)
  if (held === null || held.generation !== from.generation) return null
  const isMoved = await askToMove(held.socket, to).catch(() => false)
  if (!isMoved) await endHolder(from.folder, { isAsked: true })
  return findHolder(to.folder)
}

async function askToMove(socket: string, to: MoveRequest): Promise<boolean> {
  const client = await connectHolder(socket, (_hello, value: HolderClient) => ({
    events: noEvents(),
    value,
  }))
  const isMoved = await client.move(to)
  client.disconnect()
  return isMoved
}
