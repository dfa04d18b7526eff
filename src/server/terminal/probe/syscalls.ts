/** What a thread in one of these calls is blocked on, as far as its arguments tell. */
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
