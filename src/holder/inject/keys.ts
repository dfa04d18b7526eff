import { execFile } from 'node:child_process'
import { constants } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Current } from '../current.ts'
import { killSession } from '../process/end-session.ts'
import { readProcess, sendSignal } from '../process/processes.ts'
import type { Pty } from '../process/pty.ts'
import { foregroundReads } from '../process/reads-terminal.ts'
import { injecting, keysMode, type KeysMode } from './select.ts'

/** The way of keys and signals to what runs in the terminal. */
export interface Keys {
  type: (bytes: Buffer) => void
  signal: (target: 'foreground' | 'session', number: number) => void
  /** The mode may have changed. */
  follow: () => void
  /** The command will not be run: a signal that was to interrupt it has nothing to interrupt. */
  spared: () => void
}

/** A key or signal on its way. A signal is meant for what runs; text may also be for a line. */
interface Act {
  isSignal: boolean
  do: () => void
}

/** A shell says within milliseconds that it has begun; to one that does not say so, nothing is lost. */
const mostMs = 500
/** How soon a program that begins to read gets what was typed. */
const lookMs = 30
/** How often it is asked whether somebody reads without ever waiting for it. */
const modeMs = 300
const interrupt = 0x03
/** Ctrl+C, Ctrl+\ and Ctrl+Z. */
const signalKeys: ReadonlySet<number | undefined> = new Set([interrupt, 0x1c, 0x1a])

export function createKeys(current: Current, pty: Pty): Keys {
  const isOver = () => current.exit !== null
  const { pass, follow, spared } = createGate(current, pty)
  return {
    type(bytes) {
      const isSignal = bytes.length === 1 && signalKeys.has(bytes[0])
      pass({ isSignal, do: () => write(pty, bytes, isOver()) })
    },
    signal(target, number) {
      if (isOver()) return
      if (target === 'session') return killSession(pty.pid)
      pass({ isSignal: true, do: () => (isOver() ? undefined : sendForeground(pty.pid, number)) })
    },
    follow,
    spared,
  }
}

/** Keys wait only while the innermost shell's injector says so; that mode is asked for when one comes. */
function createGate(current: Current, { pid, pts }: Pty) {
  /** The mode that those who wait were last judged by. */
  let mode: KeysMode = 'open'
  let waiting: readonly Act[] = []
  let timer: NodeJS.Timeout | undefined
  let hasRead = false
  const askMode = createModeLook(pts)

  function keep(acts: readonly Act[]): void {
    waiting = acts
    hasRead &&= acts.length > 0
    current.waitingKeys = acts.length > 0 ? { follow } : null
  }

  function release(isMeant: (act: Act) => boolean): void {
    const acts = waiting.filter(isMeant)
    keep(waiting.filter((act) => !acts.includes(act)))
    for (const act of acts) act.do()
  }

  function follow(): void {
    const next = keysMode(current.injector.state)
    if (next === mode) return
    mode = next
    hasRead = false
    if (waiting.length === 0) return
    clearTimeout(timer)
    timer = undefined
    if (mode === 'open') release(() => true)
    else if (mode !== 'shut') release((act) => act.isSignal)
    wait()
  }

  function pass(act: Act): void {
    follow()
    if (mode === 'open' || (mode !== 'shut' && act.isSignal)) return act.do()
    keep([...waiting, act])
    if (mode === 'spare' && timer === undefined) look()
    else wait()
  }

  function wait(): void {
    if (waiting.length === 0 || timer !== undefined || current.exit !== null) return
    if (mode === 'shut') timer = setTimeout(onShutLong, mostMs)
    if (mode === 'spare') timer = setTimeout(look, lookMs)
  }

  /** The shell is late. Text stays for its line; an interrupt is for the command that waits for it. */
  function onShutLong(): void {
    timer = undefined
    const id = injecting(current.injector.state)
    if (id === null) return follow()
    // Somebody who interrupts a command that has not begun does not want it to begin.
    if (waiting.some((act) => act.isSignal))
      current.injector.hear({ type: 'withdraw', id, now: performance.now() })
    wait()
  }

  function spared(): void {
    keep(waiting.filter((act) => !act.isSignal))
    follow()
  }

  /** A program that waits for keys gets them; the shell itself, if it still does a moment later. */
  function look(): void {
    clearTimeout(timer)
    timer = undefined
    if (mode !== 'spare' || waiting.length === 0) return
    const isReading = foregroundReads(pid) !== false
    if (isReading && (hasRead || !isShellInFront(pid))) return release(() => true)
    hasRead = isReading
    // The shell's own line editor has it, too.
    askMode(() => {
      if (mode === 'spare' && !isShellInFront(pid)) release(() => true)
    })
    wait()
  }

  return { pass, follow, spared }
}

/** Asks for the terminal's mode, not too often; tells when a program takes single keys. */
function createModeLook(pts: string): (onRaw: () => void) => void {
  let askedAt = 0
  return (onRaw) => {
    if (performance.now() - askedAt <= modeMs) return
    askedAt = performance.now()
    whenRaw(pts, onRaw)
  }
}

/** It may be back at its prompt already, and its mark of that still unheard. */
function isShellInFront(shellPid: number): boolean {
  return readProcess(shellPid)?.foreground === shellPid
}

/** A program that took the terminal for itself may look for keys now and then, and never wait for one. */
function whenRaw(pts: string, act: () => void): void {
  execFile('stty', ['-F', pts, '-a'], (error, settings) => {
    if (error === null && /(^|\s)-icanon\b/.test(settings)) act()
  })
}

function write({ input, pid }: Pty, bytes: Buffer, isOver: boolean): void {
  // Behind input that nobody reads, Ctrl+C would wait for ever.
  const isBehind = bytes.length === 1 && bytes[0] === interrupt && input.stuck()
  if (!isBehind) return input.push(bytes)
  input.clear()
  if (!isOver) sendForeground(pid, constants.signals.SIGINT)
}

function sendForeground(shellPid: number, number: number): void {
  const foreground = readProcess(shellPid)?.foreground ?? 0
  if (foreground > 1) sendSignal(-foreground, number)
}
