import type { HolderFile, MoveRequest } from '../../protocol/holder.ts'
import { deafEvents } from './deaf-events.ts'
import { endHolder } from './end-holder.ts'
import { connectHolder, type HolderClient } from './holder-client.ts'
import { findHolder } from './holder-file.ts'

/** Where a shell was before it was taken over. */
export interface FormerPlace {
  folder: string
  generation: number
}

/**
 * A shell that was taken over is still where it was: the server died in between. It is called from there; one
 * that does not come is ended, for no session has it.
 */
export async function callHolder(
  from: FormerPlace,
  place: MoveRequest,
): Promise<HolderFile | null> {
  const held = findHolder(from.folder)
  if (held === null || held.generation !== from.generation) return null
  const isMoved = await askToMove(held.socket, place).catch(() => false)
  if (!isMoved) await endHolder(from.folder, { isAsked: true })
  return findHolder(place.folder)
}

async function askToMove(socket: string, place: MoveRequest): Promise<boolean> {
  const client = await connectHolder(socket, (_hello, value: HolderClient) => ({
    events: deafEvents(),
    value,
  }))
  const isMoved = await client.move(place)
  client.disconnect()
  return isMoved
}
