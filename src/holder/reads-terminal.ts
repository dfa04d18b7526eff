import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { readProc, readProcess } from './processes.ts'

/** Whether somebody waits for what is typed; null where the kernel does not tell. */
export type Reads = boolean | null

type Call = 'read' | 'poll' | 'select' | 'epoll' | 'opaque'

/** The calls that a program waits for keys in, by their numbers in `/proc/<pid>/syscall`. */
const calls: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  x64: {
    0: 'read',
    7: 'poll',
    19: 'read',
    23: 'select',
    219: 'opaque',
    232: 'epoll',
    270: 'select',
    271: 'poll',
    281: 'epoll',
    426: 'opaque',
    441: 'epoll',
  },
  arm64: {
    22: 'epoll',
    63: 'read',
    65: 'read',
    72: 'select',
    73: 'poll',
    128: 'opaque',
    426: 'opaque',
    441: 'epoll',
  },
}

/** More than a program with a terminal waits for, or has threads. */
const [maxDescriptors, maxThreads] = [256, 64]
const pollIn = 0x1 | 0x40

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
  const members = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && readProcess(Number(name))?.group === foreground,
  )
  const found = members.flatMap((name) =>
    list(`/proc/${name}/task`)
      .slice(0, maxThreads)
      .map((thread) => threadReads(Number(name), Number(thread))),
  )
  if (found.includes(true)) return true
  return found.includes(null) ? null : false
}

function threadReads(pid: number, thread: number): Reads {
  const line = readProc(`/proc/${pid}/task/${thread}/syscall`)
  const known = calls[process.arch]
  if (line === null || known === undefined) return null
  const [number = '', first = '0', second = '0'] = line.trim().split(' ')
  const call = known[number]
  if (call === undefined) return false
  const descriptors = watched({ pid, call, first: Number(first), second: Number(second) })
  return descriptors === null || descriptors.some((each) => isTerminal(pid, each))
}

interface Waiting {
  pid: number
  call: Call
  first: number
  second: number
}

/** Null: for some, and it cannot be seen for which. */
function watched({ pid, call, first, second }: Waiting): readonly number[] | null {
  switch (call) {
    case 'read':
      return [first]
    case 'poll': {
      const memory = readMemory(pid, first, Math.min(second, maxDescriptors) * 8)
      return memory === null ? null : polled(memory)
    }
    case 'select': {
      if (second === 0) return []
      const memory = readMemory(pid, second, Math.ceil(Math.min(first, maxDescriptors) / 64) * 8)
      return memory === null ? null : selected(memory)
    }
    case 'epoll': {
      const info = readProc(`/proc/${pid}/fdinfo/${first}`)
      if (info === null) return null
      return [...info.matchAll(/^tfd:\s*(\d+)/gm)].map(([, descriptor]) => Number(descriptor))
    }
    case 'opaque':
      return null
    default:
      return call satisfies never
  }
}

function polled(memory: Buffer): readonly number[] {
  const places = Array.from({ length: Math.floor(memory.length / 8) }, (_each, at) => at * 8)
  return places
    .filter((at) => (memory.readInt16LE(at + 4) & pollIn) !== 0)
    .map((at) => memory.readInt32LE(at))
}

function selected(memory: Buffer): readonly number[] {
  return [...memory].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) % 2 === 1).map((bit) => at * 8 + bit),
  )
}

function readMemory(pid: number, address: number, bytes: number): Buffer | null {
  const memory = Buffer.alloc(bytes)
  if (bytes === 0) return memory
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
    // Another user's.
    return true
  }
}
