import { execFile } from 'node:child_process'
import { constants } from 'node:os'
import { killSession } from './end-session.ts'
import type { Injector } from './injection.ts'
import { readProcess, sendSignal } from './processes.ts'
import { foregroundReads } from './reads-terminal.ts'
import type { WriteQueue } from './write-queue.ts'

/**
 * - `open`: keys and signals pass.
 * - `shut`: a command is on its way into the shell. They would meet the line editor with the command in it, and at a
 *   Ctrl+C bash runs what is left of the line.
 * - `kept`: a half-typed line was put aside, and comes back at the prompt: keys are for that line, and wait for it.
 * - `spare`: the same while a program runs, which gets them if it reads.
 */
export type KeysMode = 'open' | 'shut' | 'kept' | 'spare'

/** The way of keys and signals to what runs in the terminal. */
export interface Keys {
  type: (bytes: Buffer) => void
  signal: (target: 'foreground' | 'session', number: number) => void
  follow: (mode: KeysMode) => void
  /** The command will not be run: what was to interrupt it has nothing to interrupt. */
  spared: (mode: KeysMode) => void
}

export interface KeysOptions {
  queue: WriteQueue
  shellPid: number
  pts: string
  isOver: () => boolean
  /** Of the shell that takes commands now. */
  injector: () => Pick<Injector, 'injecting' | 'withdraw' | 'keysMode'>
}

/** Whether it is meant for what runs, or is text for it or for a line. */
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

export function createKeys(options: KeysOptions): Keys {
  const { queue, shellPid, pts, isOver, injector } = options
  let mode: KeysMode = 'open'
  let waiting: readonly Act[] = []
  let timer: NodeJS.Timeout | undefined
  let modeAskedAt = 0
  let hasRead = false

  function release(isMeant: (act: Act) => boolean): void {
    const acts = waiting.filter(isMeant)
    waiting = waiting.filter((act) => !acts.includes(act))
    for (const act of acts) act.do()
  }

  function follow(next: KeysMode): void {
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
    if (mode === 'open' || (mode !== 'shut' && act.isSignal)) return act.do()
    waiting = [...waiting, act]
    if (mode === 'spare' && timer === undefined) look()
    else wait()
  }

  function wait(): void {
    if (waiting.length === 0 || timer !== undefined || isOver()) return
    if (mode === 'shut') timer = setTimeout(onShutLong, mostMs)
    if (mode === 'spare') timer = setTimeout(look, lookMs)
  }

  /** The shell is late. What is typed stays for its line; an interrupt is for the command that waits for it. */
  function onShutLong(): void {
    timer = undefined
    const run = injector().injecting()
    if (run === null) return follow(injector().keysMode())
    // Whoever interrupts what has not begun does not want it to begin.
    if (waiting.some((act) => act.isSignal)) injector().withdraw(run)
    wait()
  }

  function spared(next: KeysMode): void {
    waiting = waiting.filter((act) => !act.isSignal)
    follow(next)
  }

  // It may be back at its prompt already, and what it says of that still unheard.
  const isShellInFront = () => readProcess(shellPid)?.foreground === shellPid

  /** A program that waits for keys gets them; the shell itself, if it still does a moment later. */
  function look(): void {
    clearTimeout(timer)
    timer = undefined
    if (mode !== 'spare' || waiting.length === 0) return
    const isReading = foregroundReads(shellPid) !== false
    if (isReading && (hasRead || !isShellInFront())) return release(() => true)
    hasRead = isReading
    if (performance.now() - modeAskedAt > modeMs) askMode()
    wait()
  }

  /** One that took the terminal for itself may look for keys now and then, and never wait for one. */
  function askMode(): void {
    modeAskedAt = performance.now()
    execFile('stty', ['-F', pts, '-a'], (error, settings) => {
      if (mode === 'spare' && error === null && /(^|\s)-icanon\b/.test(settings))
        release(() => true)
    })
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
    type(bytes) {
      const isSignal = bytes.length === 1 && signalKeys.has(bytes[0])
      pass({ isSignal, do: () => write(bytes) })
    },
    signal(target, number) {
      if (isOver()) return
      if (target === 'session') return killSession(shellPid)
      pass({ isSignal: true, do: () => send(number) })
    },
    follow,
    spared,
  }
}
