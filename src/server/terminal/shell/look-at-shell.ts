import { execFile } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { constants } from 'node:os'
import type { Probed } from '../../../protocol/holder.ts'
import type { ProbeReason } from '../../../terminal/effect.ts'
import type { Probe } from '../../../terminal/idle.ts'
import type { HolderClient } from '../holder-client.ts'
import { createProbe } from '../probe/probe.ts'
import { createShellImage, type ShellImage } from '../shell-image.ts'

/** Asks the kernel about the shells of one terminal. */
export interface ShellLook {
  probe(shell: { pid: number; level: number }, why: ProbeReason): Promise<Probe | null>
  /** The shell is itself now: what `exec` makes of it after this can be told. */
  see(pid: number): void
  replaced(pid: number): Probe['replaced']
}

const { SIGINT } = constants.signals
const unasked = { keysOff: false, takesKeys: false, ignores: false }

export function createShellLook(client: Pick<HolderClient, 'probe'>, pts: string): ShellLook {
  const images = new Map<number, ShellImage>()

  const replaced = (pid: number) => images.get(pid)?.replacedBy() ?? null

  return {
    async probe({ pid, level }, why) {
      const probed = await client.probe(level === 0 ? undefined : pid)
      if (probed === null) return null
      const { foreground, minds } = probed
      const isAtPrompt = waitsAtPrompt(probed, pid)
      const isReading = readsTerminal(probed, pid)
      const seen = { foreground, minds, isAtPrompt, isReading, replaced: replaced(pid) }
      if (why !== 'pressed') return { ...seen, ...unasked }
      const keysOff = await signalKeysOff(pts)
      const takesKeys = keysOff && (await readsKeys(pid, pts))
      return { ...seen, keysOff, takesKeys, ignores: ignores(foreground, SIGINT) }
    },
    see(pid) {
      const image = createShellImage(pid)
      image.see()
      images.set(pid, image)
    },
    replaced,
  }
}

/** select and pselect6 on x64, pselect6 on arm64: what a line editor waits in, and without a time limit. */
const waitingCalls = new Set(['23', '270', '72'])

function waitsAtPrompt({ foreground, syscall }: Probed, shellPid: number): boolean {
  if (foreground !== shellPid || syscall === null) return false
  const [call = '', , , , , timeLimit] = syscall.split(' ')
  return waitingCalls.has(call) && timeLimit === '0x0'
}

/** On x64 and arm64. */
const [readCalls, pollCalls] = [new Set(['0', '63']), new Set(['7', '271', '73'])]

/** How zsh and fish wait for keys. Their own `read` waits the same way, so it says little alone. */
function readsTerminal({ foreground, syscall }: Probed, shellPid: number): boolean {
  const [call = '', from = ''] = syscall?.split(' ') ?? []
  if (foreground !== shellPid) return false
  return pollCalls.has(call) || (readCalls.has(call) && isTerminal(shellPid, Number(from)))
}

/** A prompt may hold the output of a command, which is read from a pipe. */
function isTerminal(pid: number, descriptor: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith('/dev/pts/')
  } catch {
    // Another user's.
    return true
  }
}

function signalKeysOff(pts: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('stty', ['-F', pts, '-a'], (error, settings) =>
      resolve(error === null && /(^|\s)-isig\b/.test(settings)),
    )
  })
}

async function readsKeys(shellPid: number, pts: string): Promise<boolean> {
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
