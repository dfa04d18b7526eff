import { closeSync, constants, openSync } from 'node:fs'
import { constants as system } from 'node:os'
import nodePty from '@lydell/node-pty'

export interface PtyOptions {
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  size: { rows: number; cols: number }
  onData: (bytes: Buffer) => void
  onExit: (code: number | null, signal: string | null) => void
}

export interface Pty {
  /** The master, non-blocking. Written through our own queue, never through the library. */
  fd: number
  pid: number
  pts: string
  resize: (size: { rows: number; cols: number }) => void
}

/**
 * Starts a program in a new PTY. We keep a descriptor of our own on the terminal's other side: with
 * none open the kernel hangs up at the program's end, and what it printed last is lost before it is read.
 */
export function openPty({ file, args, cwd, env, size, onData, onExit }: PtyOptions): Pty {
  const pty = nodePty.spawn(file, [...args], {
    name: env['TERM'] ?? 'xterm-256color',
    cwd,
    env: { ...env },
    ...size,
    encoding: null,
  })
  const { fd, pts } = descriptors(pty)
  const slave = openSync(pts, constants.O_RDWR | constants.O_NOCTTY)

  // The declared type is for decoded output; with `encoding: null` it is bytes.
  pty.onData((data: string | Buffer) => onData(Buffer.isBuffer(data) ? data : Buffer.from(data)))
  pty.onExit(({ exitCode, signal }) => {
    closeSync(slave)
    const name = signal === undefined || signal === 0 ? null : signalName(signal)
    onExit(name === null ? exitCode : null, name)
  })
  return {
    fd,
    pid: pty.pid,
    pts,
    resize: ({ rows, cols }) => pty.resize(cols, rows),
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
