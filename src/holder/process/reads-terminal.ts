import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import {
  fromEpoll,
  fromPoll,
  fromSelect,
  knowsCalls,
  readSyscall,
  watchedMemory,
  type Waiting,
} from '../../base/blocked-call.ts'
import { allProcesses, readProc, readProcess } from './processes.ts'

/** Whether somebody waits for what is typed; null where the kernel does not tell. */
export type Reads = boolean | null

/** More than a program with a terminal waits for, or has threads. */
const [maxDescriptors, maxThreads] = [256, 64]

/**
 * Whether a shell waits for keys at this moment. One that completes a word, is stopped or swaps does not; what
 * it runs in front of itself does not count.
 */
export function shellReads(pid: number, session: number): Reads {
  const stat = readProcess(pid)
  // On another machine, or in another room of this one, it has another number.
  if (stat === null || stat.session !== session) return null
  if (stat.state !== 'S' || stat.foreground !== stat.group) return false
  return threadReads(pid, pid)
}

/** Whether anything in the foreground of a session's terminal waits for keys. */
export function foregroundReads(session: number): Reads {
  const foreground = readProcess(session)?.foreground ?? 0
  if (foreground <= 1) return null
  const members = allProcesses().filter(({ group }) => group === foreground)
  const found = members.flatMap(({ pid }) =>
    list(`/proc/${pid}/task`)
      .slice(0, maxThreads)
      .map((thread) => threadReads(pid, Number(thread))),
  )
  if (found.includes(true)) return true
  return found.includes(null) ? null : false
}

function threadReads(pid: number, thread: number): Reads {
  const line = readProc(`/proc/${pid}/task/${thread}/syscall`)
  if (line === null || !knowsCalls(process.arch)) return isThere(pid) ? null : false
  const waiting = readSyscall(line, process.arch)
  if (waiting === null) return false
  const descriptors = watched(pid, waiting)
  return descriptors === null || descriptors.some((each) => isTerminal(pid, each))
}

/** Null: for some, and it cannot be seen for which. */
function watched(pid: number, waiting: Waiting): readonly number[] | null {
  const { call, args } = waiting
  if (call === 'read') return [args[0]]
  if (call === 'opaque') return null
  if (call === 'epoll') {
    const info = readProc(`/proc/${pid}/fdinfo/${args[0]}`)
    return info === null ? null : fromEpoll(info)
  }
  const place = watchedMemory(waiting, maxDescriptors)
  const memory = place === null ? Buffer.alloc(0) : readMemory(pid, place.address, place.bytes)
  if (memory === null) return null
  return call === 'poll' ? fromPoll(memory) : fromSelect(memory)
}

function readMemory(pid: number, address: number, bytes: number): Buffer | null {
  const memory = Buffer.alloc(bytes)
  try {
    const file = openSync(`/proc/${pid}/mem`, 'r')
    try {
      return memory.subarray(0, readSync(file, memory, 0, bytes, address))
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isTerminal(pid: number, descriptor: number): boolean {
  try {
    return /^\/dev\/(pts\/|tty)/.test(readlinkSync(`/proc/${pid}/fd/${descriptor}`))
  } catch {
    // Another user's; one that is about to end reads nothing any more.
    return isThere(pid)
  }
}

function isThere(pid: number): boolean {
  const found = readProcess(pid)
  return found !== null && !/[XZ]/.test(found.state)
}
