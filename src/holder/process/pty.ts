import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { constants as system } from 'node:os'
import nodePty from '@lydell/node-pty'
import type { HolderStart } from '../../protocol/holder/holder.ts'

export type Pty = ReturnType<typeof openPty>

interface PtyOptions extends Pick<HolderStart, 'cwd' | 'env' | 'size'> {
  file: string
  args: readonly string[]
}

interface PtyListener {
  onData: (bytes: Buffer) => void
  onExit: (code: number | null, signal: string | null) => void
}

/**
 * Starts a program in a new PTY. We keep a descriptor of our own on the terminal's other side: with
 * none open the kernel hangs up at the program's end, and what it printed last is lost before it is read.
 */
export function openPty({ file, args, cwd, env, size }: PtyOptions) {
  const pty = nodePty.spawn(file, [...args], {
    name: env['TERM'] ?? 'xterm-256color',
    cwd,
    env: { ...env },
    ...size,
    encoding: null,
  })
  const { fd, pts } = descriptors(pty)
  const slave = openSync(pts, constants.O_RDWR | constants.O_NOCTTY)
  return {
    pid: pty.pid,
    pts,
    input: createWriteQueue(fd),
    /** Called in the tick of the start: nothing was read before that. */
    listen({ onData, onExit }: PtyListener): void {
      // The declared type is for decoded output; with `encoding: null` it is bytes.
      pty.onData((data: string | Buffer) =>
        onData(Buffer.isBuffer(data) ? data : Buffer.from(data)),
      )
      pty.onExit(({ exitCode, signal }) => {
        closeSync(slave)
        const name = signal === undefined || signal === 0 ? null : signalName(signal)
        onExit(name === null ? exitCode : null, name)
      })
    },
    resize: ({ rows, cols }: PtyOptions['size']) => pty.resize(cols, rows),
  }
}

/** Public accessors of the library's class that its declarations leave out. */
function descriptors(pty: object): { fd: number; pts: string } {
  if (!('fd' in pty) || typeof pty.fd !== 'number')
    throw new Error('the PTY library hides its descriptor')
  if (!('ptsName' in pty) || typeof pty.ptsName !== 'string') {
    throw new Error("the PTY library hides its terminal's name")
  }
  return { fd: pty.fd, pts: pty.ptsName }
}

function signalName(signal: number): string {
  const found = Object.entries(system.signals).find(([, number]) => number === signal)
  return found?.[0] ?? `SIG${signal}`
}

/** A paste of this size fits; a program that never reads must not fill our memory. */
const maxQueuedBytes = 4 * 1024 * 1024
const firstDelayMs = 1
const maxDelayMs = 50

/**
 * Writes to the PTY master itself: the library's own write blocks the loop or burns a core when the
 * program in the terminal does not read. The descriptor is non-blocking, so a full one answers at once.
 */
function createWriteQueue(fd: number) {
  let queue: Buffer[] = []
  let queuedBytes = 0
  let delayMs = firstDelayMs
  let timer: NodeJS.Timeout | null = null

  function clear(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    queue = []
    queuedBytes = 0
    delayMs = firstDelayMs
  }

  function drain(): void {
    timer = null
    let first = queue[0]
    while (first !== undefined) {
      const count = tryWrite(fd, first)
      if (count === 'gone') return clear()
      if (count === 0) {
        timer = setTimeout(drain, delayMs)
        delayMs = Math.min(delayMs * 2, maxDelayMs)
        return
      }
      delayMs = firstDelayMs
      queuedBytes -= count
      if (count === first.length) queue.shift()
      else queue[0] = first.subarray(count)
      first = queue[0]
    }
  }

  return {
    push(bytes: Buffer): void {
      if (bytes.length === 0 || queuedBytes + bytes.length > maxQueuedBytes) return
      queue.push(bytes)
      queuedBytes += bytes.length
      if (timer === null) drain()
    },
    /** True while the terminal does not take what was written: its reader does not read. */
    stuck: () => timer !== null,
    clear,
  }
}

function tryWrite(fd: number, bytes: Buffer): number | 'gone' {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    const busy = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
    return busy ? 0 : 'gone'
  }
}
