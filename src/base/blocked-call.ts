/** The kind of call that a thread is blocked in. */
export type WaitCall = 'read' | 'poll' | 'select' | 'epoll' | 'opaque'

/**
 * The calls a program waits for input in, by the numbers of `/proc/<pid>/syscall`. `opaque` ones
 * wait for something their arguments do not name: a ring set up earlier, or a call the kernel
 * restarted after a stop.
 */
const calls: Readonly<Record<string, ReadonlyMap<number, WaitCall>>> = {
  x64: new Map<number, WaitCall>([
    [0, 'read'],
    [19, 'read'], // readv
    [295, 'read'], // preadv
    [327, 'read'], // preadv2
    [7, 'poll'],
    [271, 'poll'], // ppoll
    [23, 'select'],
    [270, 'select'], // pselect6
    [232, 'epoll'], // epoll_wait
    [281, 'epoll'], // epoll_pwait
    [441, 'epoll'], // epoll_pwait2
    [426, 'opaque'], // io_uring_enter
    [219, 'opaque'], // restart_syscall
  ]),
  arm64: new Map<number, WaitCall>([
    [63, 'read'],
    [65, 'read'], // readv
    [69, 'read'], // preadv
    [286, 'read'], // preadv2
    [73, 'poll'], // ppoll
    [72, 'select'], // pselect6
    [22, 'epoll'], // epoll_pwait
    [441, 'epoll'], // epoll_pwait2
    [426, 'opaque'], // io_uring_enter
    [128, 'opaque'], // restart_syscall
  ]),
}

export interface Waiting {
  call: WaitCall
  args: readonly [number, number, number]
}

/** Whether we know this machine's numbers; elsewhere nothing can be said. */
export function knowsCalls(arch: string): boolean {
  return calls[arch] !== undefined
}

/** A line of `/proc/<pid>/task/<tid>/syscall`; null when the thread runs or waits for something else. */
export function readSyscall(line: string, arch: string): Waiting | null {
  const [number = '', a = '0', b = '0', c = '0'] = line.trim().split(' ')
  const call = /^\d+$/.test(number) ? calls[arch]?.get(Number(number)) : undefined
  // Addresses of programs stay below 2^53, the rest (small numbers, sizes) is exact anyway.
  return call === undefined ? null : { call, args: [Number(a), Number(b), Number(c)] }
}

const pollIn = 0x1 | 0x40 // POLLIN | POLLRDNORM, the same bits for epoll
const pollBytes = 8

/** `struct pollfd`: descriptor, wanted, found. */
export function fromPoll(memory: Uint8Array): readonly number[] {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
  const found: number[] = []
  for (let at = 0; at + pollBytes <= memory.length; at += pollBytes) {
    const descriptor = view.getInt32(at, true)
    if (descriptor >= 0 && (view.getInt16(at + 4, true) & pollIn) !== 0) found.push(descriptor)
  }
  return found
}

export function fromSelect(memory: Uint8Array): readonly number[] {
  return [...memory].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) % 2 === 1).map((bit) => at * 8 + bit),
  )
}

/** The descriptors that an epoll descriptor is set to report, by its `fdinfo`. */
export function fromEpoll(info: string): readonly number[] {
  return [...info.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm)]
    .filter(([, , events = '0']) => (Number.parseInt(events, 16) & pollIn) !== 0)
    .map(([, descriptor]) => Number(descriptor))
}

/** The part of a process's memory that says what a call waits for, at most so many descriptors; null: nothing does. */
export function watchedMemory(
  { call, args: [first, second] }: Waiting,
  maxDescriptors: number,
): { address: number; bytes: number } | null {
  if (call === 'poll') return someBytes(first, Math.min(second, maxDescriptors) * pollBytes)
  // A bit each, in whole words; without a set for reading it waits for none.
  const bytes = second === 0 ? 0 : Math.ceil(Math.min(first, maxDescriptors) / 64) * 8
  return someBytes(second, bytes)
}

function someBytes(address: number, bytes: number): { address: number; bytes: number } | null {
  return bytes === 0 ? null : { address, bytes }
}
