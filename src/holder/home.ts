import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HolderFile, MoveRequest } from '../protocol/holder.ts'
import { readProcess } from './processes.ts'

/** Where a holder is found: the folder of a session, with its run file and, as a rule, its socket. */
export interface Home {
  /** In this folder from now on, and in no other. */
  enter: (place: MoveRequest) => Promise<void>
  socket: () => string
  leave: () => void
}

export interface HomeOptions {
  /** For a socket whose path would be too long. */
  privateFolder: string
  listen: (socket: string) => Promise<void>
}

/** `sun_path` holds 108 bytes with its end; a longer path would be cut without a word. */
const maxSocketPath = 100

export function createHome({ privateFolder, listen }: HomeOptions): Home {
  let folder: string | null = null
  let socket = ''

  const runFile = (of: string) => join(of, 'holder.json')

  function socketIn(place: string): string {
    const path = join(place, 'holder.sock')
    return Buffer.byteLength(path) <= maxSocketPath ? path : join(privateFolder, 'holder.sock')
  }

  return {
    async enter(place) {
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
    leave() {
      rmSync(socket, { force: true })
      if (folder !== null) rmSync(runFile(folder), { force: true })
    },
  }
}
