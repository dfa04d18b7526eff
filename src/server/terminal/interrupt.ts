import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { HolderClient } from './holder-client.ts'
import { createProbe } from './probe/probe.ts'
import { killMs, type StopStep, termMs } from './stop-ladder.ts'

export interface InterruptTarget {
  client: HolderClient
  pts: string
  shellPid: number
  isRunning: () => boolean
  /** Who wants it stopped is told of each stronger step; absent: one interrupt is all that is wanted. */
  onStep?: ((step: StopStep) => void) | undefined
}

const againMs = 300
const maxTimes = 5
const interruptKey = Buffer.from('\x03')
const { SIGINT, SIGTERM, SIGKILL } = constants.signals

/**
 * Ctrl+C as a person would press it. It is pressed again only when the first cannot have reached the
 * program: one that neither handles nor ignores it would be dead (a shell that is just starting a
 * program swallows it), or signal keys are off and it does not read keys either. To all others a second
 * one would say "now, without cleaning up"; but one that ignores it is stopped by stronger means.
 */
export function interruptForeground(target: InterruptTarget, times = 1): void {
  const { client, pts, shellPid, isRunning } = target
  const before = client.probe()
  client.input(interruptKey)
  setTimeout(() => {
    if (isRunning()) void again()
  }, againMs).unref()

  async function again(): Promise<void> {
    const [was, is] = [await before, await client.probe()]
    if (!isRunning() || is === null) return
    if (await signalKeysOff(pts)) {
      if (!(await readsKeys(target)) && isRunning()) client.signal('foreground', SIGINT)
      return
    }
    const isShell = is.foreground === shellPid
    const unheard = isShell ? was?.foreground === shellPid : is.minds === false
    if (unheard && times < maxTimes) interruptForeground(target, times + 1)
    if (!isShell && ignores(is.foreground, SIGINT)) climb(target, is.foreground)
  }
}

/** For a program that ignores Ctrl+C, as long as it is the same one. */
function climb({ client, isRunning, onStep }: InterruptTarget, group: number): void {
  if (onStep === undefined) return
  onStep('INT')
  const say = onStep

  async function step(name: StopStep, signal: number): Promise<void> {
    if (!isRunning() || (await client.probe())?.foreground !== group || !isRunning()) return
    say(name)
    client.signal('foreground', signal)
  }

  setTimeout(() => void step('TERM', SIGTERM), termMs - againMs).unref()
  setTimeout(() => void step('KILL', SIGKILL), killMs - againMs).unref()
}

/** What takes single keys has got this one as well, and knows what it means. */
async function readsKeys({ shellPid, pts }: InterruptTarget): Promise<boolean> {
  const { state } = await createProbe({ shellPid, pts }).look()
  return state === 'raw' || state === 'waiting' || state === 'secret'
}

function ignores(pid: number, signal: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const mask = BigInt(`0x${/^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
    return (mask >> BigInt(signal - 1)) % 2n === 1n
  } catch {
    return false
  }
}

function signalKeysOff(pts: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('stty', ['-F', pts, '-a'], (error, settings) =>
      resolve(error === null && /(^|\s)-isig\b/.test(settings)),
    )
  })
}
