import {
  renameSync,
  rmSync,
  writeFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
} from 'node:fs'
import { join, dirname } from 'node:path'
import type { HolderFile, MoveRequest, HolderStart } from '../../protocol/holder/holder.ts'
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

/**
 * A new folder only we can enter, in the first root that allows it. The parent is checked as tmux
 * checks its own: a folder another user planted under our name must not be used.
 */
export function makePrivateFolder(roots: readonly string[]): string {
  const tried: string[] = []
  for (const root of roots) {
    const parent = join(root, `tandem-${process.getuid?.() ?? 0}`)
    try {
      mkdirSync(parent, { recursive: true, mode: 0o700 })
      if (isOursAlone(parent)) {
        sweep(parent)
        return mkdtempSync(join(parent, `h${process.pid}-`))
      }
      tried.push(`${parent} is not ours alone`)
    } catch (error) {
      tried.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`no place for private files: ${tried.join('; ')}`)
}

/**
 * Makes it again where somebody has tidied it away (a logout removes what a user left in shared memory). False
 * when that cannot be.
 */
export function remakePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOursAlone(dirname(folder)) && isOursAlone(folder)
  } catch {
    return false
  }
}

function isOursAlone(folder: string): boolean {
  const stat = lstatSync(folder)
  return stat.isDirectory() && stat.uid === (process.getuid?.() ?? 0) && (stat.mode & 0o077) === 0
}

/** A holder that was killed could not clean up; its folder names it. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^h(\d+)-/.exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    rmSync(join(parent, name), { recursive: true, force: true })
  }
}

export type StartFile = ReturnType<typeof writeStartFile>

/** The script a new shell reads first, with what only this shell may know filled in. */
export function writeStartFile({ shell, nonce }: HolderStart, folder: string) {
  const path = join(folder, shell.startName ?? 'start')
  const quotedFolder = folder.replaceAll("'", String.raw`'\''`)
  const script = shell.startFile
    .replaceAll('@NONCE@', () => nonce)
    .replaceAll('@FOLDER@', () => quotedFolder)
  writeFileSync(path, script, { mode: 0o600 })
  return {
    args: shell.args.map((arg) => arg.replace('@START@', () => path)),
    /** Variables by which the shell finds it. */
    env: Object.fromEntries(
      Object.entries(shell.env ?? {}).map(([name, value]) => [
        name,
        value.replace('@FOLDER@', () => folder),
      ]),
    ),
    /** The shell has read it: the nonce must not stay on disk. */
    remove: () => rmSync(path, { force: true }),
  }
}
