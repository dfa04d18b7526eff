import type { HolderFile, MoveRequest } from '../../../protocol/holder/holder.ts'
import { noEvents, endHolder } from './end-holder.ts'
import { connectHolder } from './connect-holder.ts'
import type { HolderClient } from './client.ts'
import { findHolder } from './start-holder.ts'

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
