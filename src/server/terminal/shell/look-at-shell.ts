import { readlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { readSyscall } from '../../../base/blocked-call.ts'
import type { Probed } from '../../../protocol/holder/holder.ts'
import type { ProbeReason, Probe } from '../../../terminal/incoming.ts'
import type { Shell } from '../../../terminal/state.ts'
import type { HolderClient } from '../holder/client.ts'
import { createProbe, readSettings } from '../probe/probe.ts'
import { readProc } from '../../process/proc-stat.ts'
import { readStack, replacedSince } from './processes.ts'

const { SIGINT } = constants.signals
const unasked = { keysOff: false, takesKeys: false, ignores: false }

export type ShellLook = ReturnType<typeof createShellLook>

/** Asks the kernel about the shells of one terminal. */
export function createShellLook(client: Pick<HolderClient, 'probe'>, pts: string) {
  const stacks = new Map<number, string | null>()

  const replaced = (pid: number) => replacedSince(pid, stacks.get(pid) ?? null)

  return {
    async probe(
      { pid, level }: Pick<Shell, 'pid' | 'level'>,
      why: ProbeReason,
    ): Promise<Probe | null> {
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
    /** The shell is itself now: what `exec` makes of it after this can be told. */
    see: (pid: number) => void stacks.set(pid, readStack(pid)?.stack ?? null),
    replaced,
  }
}

/** A line editor waits in a select without a time limit. */
function waitsAtPrompt({ foreground, syscall }: Probed, shellPid: number): boolean {
  if (foreground !== shellPid || syscall === null) return false
  const [, , , , , timeLimit] = syscall.split(' ')
  return readSyscall(syscall, process.arch)?.call === 'select' && timeLimit === '0x0'
}

/** zsh and fish wait so for keys. Their own `read` waits the same way, so it says little alone. */
function readsTerminal({ foreground, syscall }: Probed, shellPid: number): boolean {
  if (foreground !== shellPid || syscall === null) return false
  const waiting = readSyscall(syscall, process.arch)
  if (waiting?.call === 'poll') return true
  return waiting?.call === 'read' && isTerminal(shellPid, waiting.args[0])
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

async function signalKeysOff(pts: string): Promise<boolean> {
  return /(^|\s)-isig\b/.test((await readSettings(pts)) ?? '')
}

async function readsKeys(shellPid: number, pts: string): Promise<boolean> {
  const { state } = await createProbe({ shellPid, pts }).read()
  return state === 'raw' || state === 'waiting' || state === 'secret'
}

function ignores(pid: number, signal: number): boolean {
  const status = readProc(`/proc/${pid}/status`) ?? ''
  const mask = BigInt(`0x${/^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return (mask >> BigInt(signal - 1)) % 2n === 1n
}
