import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { deafEvents } from './deaf-events.ts'
import { connectHolder } from './holder-client.ts'
import { findHolder, isAlive } from './holder-file.ts'
import { within } from './within.ts'

const endMs = 5000

/** Ends whatever holder a session's folder still has, by asking it, and by force if it does not answer. */
export async function endHolder(folder: string): Promise<void> {
  const holder = findHolder(folder)
  if (holder === null) return
  const ended = await within(endMs, askToEnd(holder.socket)).catch(() => false)
  // The socket closes a moment before the process is gone; only one that never answered is killed.
  if (!ended && isAlive(holder)) process.kill(holder.pid, 'SIGKILL')
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
