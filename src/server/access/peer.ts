import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { markName } from '../one-shot/process-table.ts'
import { allPids, readStat, startedWith } from '../process/proc-stat.ts'
import { shellMark } from '../terminal/start/end-strays.ts'

export interface PeerDeps {
  /** Says whether a mark is that of a shell of this data folder. */
  isOurs(mark: string): boolean
}

/**
 * Says whether the program at the other end of a connection may run inside a shell of ours, or be started by it: such a
 * program is not the person. Only the kernel is asked. Where it cannot tell, the program may be inside.
 */
export async function isInsideShell(connection: Socket, deps: PeerDeps): Promise<boolean> {
  // Other systems have no `/proc`; there nobody can tell, and the token alone has to do.
  if (process.platform !== 'linux') return false
  if (connection.remotePort === undefined) return mayHaveSocket(connection, deps)
  const inode = await inodeOf(connection)
  if (inode === null) return true
  const { owners, unreadable } = await holdersOf(inode)
  // It may have ended while it was looked for: then whoever it was cannot be told any more.
  if ((await inodeOf(connection)) !== inode) return true
  const suspects = owners.length > 0 ? owners : unreadable
  for (const pid of suspects) if (await isInside(pid, deps)) return true
  return false
}

/** The socket of the other end, as the kernel numbers it; null when that end is closed, or no TCP. */
async function inodeOf({ remotePort, localPort }: Socket): Promise<string | null> {
  if (remotePort === undefined || localPort === undefined) return null
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')),
  )
  const [theirs, ours] = [portText(remotePort), portText(localPort)]
  for (const line of tables.join('\n').split('\n')) {
    const fields = line.trim().split(/\s+/)
    const [, local = '', remote = ''] = fields
    if (!local.endsWith(theirs) || !remote.endsWith(ours)) continue
    const inode = fields[9] ?? '0'
    // Nobody holds it any more.
    return inode === '0' ? null : inode
  }
  return null
}

const portText = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`

interface Holders {
  owners: readonly number[]
  /** Processes whose files nobody may look at: any of them may be one. */
  unreadable: readonly number[]
}

async function holdersOf(inode: string): Promise<Holders> {
  const owners: number[] = []
  const unreadable: number[] = []
  for (const pid of allPids()) {
    const names = await readdir(`/proc/${pid}/fd`).catch(() => null)
    if (names === null) unreadable.push(pid)
    else if (await holds(pid, names, inode)) owners.push(pid)
  }
  return { owners, unreadable }
}

async function holds(pid: number, names: readonly string[], inode: string): Promise<boolean> {
  const links = await Promise.all(
    names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  )
  return links.includes(`socket:[${inode}]`)
}

/** More parents than a process has. */
const maxParents = 100

/** It, or a process that it comes from, has the mark of a shell of ours, or is a run of this server's beside one. */
async function isInside(pid: number, deps: PeerDeps): Promise<boolean> {
  let isOfRun = false
  for (let at = pid, left = maxParents; at > 1 && left > 0; left--) {
    // A program that has the server within it may start what it likes beside its runs.
    if (at === process.pid) return isOfRun
    const mark = await shellMark(at)
    if (mark !== null && deps.isOurs(mark)) return true
    isOfRun ||= (await startedWith(at, markName)) !== null
    at = Number(readStat(at)?.fields[1] ?? 0)
  }
  return false
}

/**
 * Says whether a program inside a shell of ours may be at the other end of a unix socket, or was until now. The kernel does not
 * tell which end belongs to which, so any connected socket of any program there will do.
 */
async function mayHaveSocket(connection: Socket, deps: PeerDeps): Promise<boolean> {
  const table = await readFile('/proc/net/unix', 'latin1').catch(() => null)
  if (table === null) return true
  const connected = new Set(table.split('\n').flatMap(connectedInode))
  for (const pid of allPids()) {
    if (pid === process.pid || !(await isInside(pid, deps))) continue
    const names = await readdir(`/proc/${pid}/fd`).catch(() => null)
    if (names === null) {
      // A process that ended while it was looked at holds nothing; of others nobody knows.
      if (isLiving(pid)) return true
      continue
    }
    const links = await Promise.all(
      names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
    )
    if (links.some((link) => connected.has(link))) return true
  }
  return connection.destroyed || connection.readableEnded
}

function isLiving(pid: number): boolean {
  const state = readStat(pid)?.fields[0]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** Num RefCount Protocol Flags Type St Inode Path; 03 is connected. */
function connectedInode(line: string): readonly string[] {
  const [, , , , , state, inode] = line.trim().split(/\s+/)
  return state === '03' && inode !== undefined ? [`socket:[${inode}]`] : []
}
