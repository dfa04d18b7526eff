import type { ProcFiles } from './proc-files.ts'
import type { Waiting } from './syscalls.ts'

const pollIn = 0x1 | 0x40 // POLLIN | POLLRDNORM, the same bits for epoll
/** More descriptors than any program with a terminal waits for; a server beyond it is no prompt. */
const maxDescriptors = 1024
const pollBytes = 8

/** The descriptors that a blocked call waits for input on; null when that cannot be seen. */
export async function watchedDescriptors(
  files: ProcFiles,
  pid: number,
  { call, args }: Waiting,
): Promise<readonly number[] | null> {
  const [first, second] = args
  switch (call) {
    case 'read':
      return [first]
    case 'poll': {
      const bytes = Math.min(second, maxDescriptors) * pollBytes
      if (bytes === 0) return []
      const memory = await files.memory(pid, { address: first, bytes })
      return memory === null ? null : fromPoll(memory)
    }
    case 'select': {
      // A bit each, in whole words; without a set for reading it waits for none.
      const bytes = Math.ceil(Math.min(first, maxDescriptors) / 64) * 8
      if (bytes === 0 || second === 0) return []
      const memory = await files.memory(pid, { address: second, bytes })
      return memory === null ? null : fromSelect(memory)
    }
    case 'epoll':
      return epollDescriptors(files, pid, first)
    case 'opaque':
      return null
    default:
      return call satisfies never
  }
}

/** `struct pollfd`: descriptor, wanted, found. */
export function fromPoll(memory: Buffer): readonly number[] {
  const found: number[] = []
  for (let at = 0; at + pollBytes <= memory.length; at += pollBytes) {
    const descriptor = memory.readInt32LE(at)
    if (descriptor >= 0 && (memory.readInt16LE(at + 4) & pollIn) !== 0) found.push(descriptor)
  }
  return found
}

export function fromSelect(memory: Buffer): readonly number[] {
  return [...memory].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) % 2 === 1).map((bit) => at * 8 + bit),
  )
}

/** What an epoll descriptor is set to report, by its `fdinfo`. */
export async function epollDescriptors(
  files: ProcFiles,
  pid: number,
  epoll: number,
): Promise<readonly number[] | null> {
  const info = await files.later(`/proc/${pid}/fdinfo/${epoll}`, maxDescriptors * 64)
  if (typeof info === 'string') return null
  return [...info.text.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm)]
    .filter(([, , events = '0']) => (Number.parseInt(events, 16) & pollIn) !== 0)
    .map(([, descriptor]) => Number(descriptor))
}
