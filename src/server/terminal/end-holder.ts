import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { deafEvents } from './deaf-events.ts'
import { connectHolder } from './holder-client.ts'
import { findHolder, isAlive } from './holder-file.ts'
import { killHolder } from './kill-holder.ts'
import { within } from './within.ts'

/** The holder asks what it holds to go, and then makes it; that takes three seconds at most. */
export const endMs = 5_000
/** What was killed is gone at once, unless the kernel waits for a disk. */
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
      return { events: deafEvents(resolve), value: null }
    }).catch(reject)
  })
}
