import { constants } from 'node:os'
import { killSession } from './end-session.ts'
import { readProcess, sendSignal } from './processes.ts'
import type { WriteQueue } from './write-queue.ts'

/**
 * The way of keys and signals to what runs in the terminal. They wait while a command is on its way into the
 * shell: there they would meet the line editor with the command in it, and at a Ctrl+C bash runs what is left
 * of the line.
 */
export interface Keys {
  type: (bytes: Buffer) => void
  signal: (target: 'foreground' | 'session', number: number) => void
  /** A command is on its way. */
  shut: () => void
  /** The shell has taken it, or will not. */
  open: () => void
}

export interface KeysOptions {
  queue: WriteQueue
  shellPid: number
  isOver: () => boolean
}

/** A shell says within milliseconds that it has begun; to one that does not say so, nothing is lost. */
const mostMs = 500
const interrupt = 0x03

export function createKeys({ queue, shellPid, isOver }: KeysOptions): Keys {
  let isShut = false
  let waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function open(): void {
    isShut = false
    if (waiting.length === 0) return
    clearTimeout(timer)
    const acts = waiting
    waiting = []
    for (const act of acts) act()
  }

  function pass(act: () => void): void {
    if (!isShut) return act()
    if (waiting.length === 0) timer = setTimeout(open, mostMs)
    waiting.push(act)
  }

  function write(bytes: Buffer): void {
    // Behind input that nobody reads, Ctrl+C would wait for ever.
    const isBehind = bytes.length === 1 && bytes[0] === interrupt && queue.stuck()
    if (!isBehind) return queue.push(bytes)
    queue.clear()
    send(constants.signals.SIGINT)
  }

  function send(number: number): void {
    const foreground = readProcess(shellPid)?.foreground ?? 0
    if (!isOver() && foreground > 1) sendSignal(-foreground, number)
  }

  return {
    type: (bytes) => pass(() => write(bytes)),
    signal(target, number) {
      if (isOver()) return
      if (target === 'session') return killSession(shellPid)
      pass(() => send(number))
    },
    shut() {
      isShut = true
    },
    open,
  }
}
