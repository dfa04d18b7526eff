import type { Row } from '../stats.ts'
import { floodPastFrozenViewer } from './frozen-viewer.ts'
import { floodInterrupted } from './interrupted.ts'
import { floodToChat } from './to-chat.ts'
import { floodToSocket } from './to-socket.ts'

/** What the shared terminal does when a command prints more than anybody reads. */
export async function floods(): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const part of [floodToSocket, floodToChat, floodInterrupted, floodPastFrozenViewer])
    rows.push(...(await part()))
  return rows
}
