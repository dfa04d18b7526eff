import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HolderFile, MoveRequest } from '../../protocol/holder/holder.ts'
import { readProcess } from './processes.ts'

interface HomeOptions {
  /** For a socket whose path would be too long. */
  privateFolder: string
  listen: (socket: string) => Promise<void>
}

/** `sun_path` holds 108 bytes with its end; a longer path would be cut without a word. */
const maxSocketPath = 100

export type Home = ReturnType<typeof createHome>

/** The place that a holder is found in: the folder of a session, with its run file and, as a rule, its socket. */
export function createHome({ privateFolder, listen }: HomeOptions) {
  let folder: string | null = null
  let socket = ''

  const runFile = (of: string) => join(of, 'holder.json')

  function socketIn(place: string): string {
    const path = join(place, 'holder.sock')
    return Buffer.byteLength(path) <= maxSocketPath ? path : join(privateFolder, 'holder.sock')
  }

  return {
    /** In this folder from now on, and in no other. */
    async enter(place: MoveRequest): Promise<void> {
      const next = socketIn(place.folder)
      if (next !== socket) {
        rmSync(next, { force: true })
        await listen(next)
      }
      const left = folder
      folder = place.folder
      socket = next
      const startTime = readProcess(process.pid)?.startTime ?? ''
      const { generation } = place
      const file: HolderFile = { pid: process.pid, startTime, socket, generation }
      const path = runFile(folder)
      writeFileSync(`${path}.new`, JSON.stringify(file), { mode: 0o600 })
      renameSync(`${path}.new`, path)
      // Last, so that at no time nobody could find us.
      if (left !== null && left !== folder) rmSync(runFile(left), { force: true })
    },
    socket: () => socket,
    leave(): void {
      rmSync(socket, { force: true })
      if (folder !== null) rmSync(runFile(folder), { force: true })
    },
  }
}
