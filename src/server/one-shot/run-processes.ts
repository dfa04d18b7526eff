import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { hasMark, listProcesses, sendSignal } from './process-table.ts'
import type { StreamRef } from '../../protocol/events/run.ts'
import { whole, type Captured } from '../../base/text.ts'
import type { TerminalRunEnd, RunWatch } from '../terminal/terminal.ts'

/** How the processes of one run are known. */
export interface RunProcesses {
  /** The first one, which leads a session and a group; null when it cannot be told from another. */
  leader: number | null
  /** None of them is older, in ticks since boot. */
  startTime: number
  /** The run's id: in the environment of all of them that have not thrown it away. */
  mark: string
  /** Their control group, if they have one. Nobody leaves that by accident. */
  cgroup: string | null
}

interface Member {
  pid: number
  inGroup: boolean
}

/** Time to save something, not to go on working. */
const politeMs = 2_000
const killMs = 2_000
const firstPollMs = 5
const maxPollMs = 80

/**
 * The living processes of a run: its group, its session, whatever carries its mark or sits in its control
 * group, and the children of all these. So `setsid`, `nohup` and a double fork do not hide it.
 */
export async function findMembers(run: RunProcesses): Promise<readonly Member[]> {
  const table = listProcesses()
  if (table === null) return groupOnly(run.leader)
  const young = table.filter((row) => row.startTime >= run.startTime && row.pid !== process.pid)
  const caged = await cgroupMembers(run.cgroup)
  const found = new Set<number>()
  for (const { pid, group, session } of young) {
    const isNear = run.leader !== null && (group === run.leader || session === run.leader)
    if (isNear || caged.has(pid) || (await hasMark(pid, run.mark))) found.add(pid)
  }
  for (let known = -1; known !== found.size;) {
    known = found.size
    for (const { pid, parent } of young) if (found.has(parent)) found.add(pid)
  }
  return young
    .filter(({ pid }) => found.has(pid))
    .map(({ pid, group }) => ({ pid, inGroup: group === run.leader }))
}

/** Without `/proc` the group is all that can be seen. */
function groupOnly(leader: number | null): readonly Member[] {
  const lives = leader !== null && sendSignal(-leader, 0)
  return lives ? [{ pid: leader, inGroup: true }] : []
}

async function cgroupMembers(folder: string | null): Promise<ReadonlySet<number>> {
  if (folder === null) return new Set()
  const text = await readFile(join(folder, 'cgroup.procs'), 'latin1').catch(() => '')
  return new Set(text.split('\n').filter(Boolean).map(Number))
}

/** TERM to all of them, KILL after two seconds. Resolves with those that nothing could end. */
export async function endProcesses(
  run: RunProcesses,
  onKill: () => void = () => undefined,
): Promise<readonly number[]> {
  const members = await findMembers(run)
  signalAll(run, members, 'SIGTERM')
  // A stopped process gets nothing but KILL until it goes on.
  signalAll(run, members, 'SIGCONT')
  if (await gone(run, politeMs)) return []
  onKill()
  const isGone = await gone(run, killMs, (left) => signalAll(run, left, 'SIGKILL'))
  return isGone ? [] : (await findMembers(run)).map(({ pid }) => pid)
}

/** Looks again and again, at growing intervals; `each` sees whoever is still there. */
export async function gone(
  run: RunProcesses,
  withinMs: number,
  each: (left: readonly Member[]) => void = () => undefined,
): Promise<boolean> {
  const end = performance.now() + withinMs
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, maxPollMs)) {
    const left = await findMembers(run)
    if (left.length === 0) return true
    each(left)
    if (performance.now() >= end) return false
    await delay(pollMs)
  }
}

function signalAll(run: RunProcesses, members: readonly Member[], signal: NodeJS.Signals): void {
  // In one call: a group that forks meanwhile cannot slip through.
  if (run.leader !== null && members.some(({ inGroup }) => inGroup)) sendSignal(-run.leader, signal)
  for (const { pid, inGroup } of members) if (!inGroup) sendSignal(pid, signal)
}

export interface OneShotEnd extends TerminalRunEnd {
  stdout: StreamRef
  stderr: StreamRef
  /** Processes of it that nothing could end. */
  notEnded: readonly number[]
}

/** Fields that only a terminal's run has. */
export const noEnd = { cwdAfter: null, ptyFrom: null, ptyTo: null }

/** No byte of it was executed; the reason stands where its output would. */
export function notStarted(why: string): OneShotEnd {
  const none: StreamRef = { bytes: 0, omitted: 0 }
  return {
    ...noEnd,
    outcome: 'not_started',
    exitCode: null,
    signal: null,
    durationMs: 0,
    bytes: 0,
    omitted: 0,
    output: whole(why),
    stdout: none,
    stderr: none,
    notEnded: [],
  }
}

export function cancelled(signal: AbortSignal): string {
  const reason = reasonOf(signal)
  return `The command was not run: ${reason ?? 'it was cancelled while it waited'}.`
}

/** Why, if whoever aborted it said so in words. */
function reasonOf({ reason }: AbortSignal): string | null {
  return typeof reason === 'string' ? reason : null
}

/** A terminal run's watch without waiting: there is nobody it could wait for. */
export type OneShotWatch = Pick<RunWatch, 'signal' | 'onOutput' | 'onTimeout' | 'onStatus'>

/** Ends the run when its time is up or somebody says so, whichever is first. */
export function stopper(
  run: RunProcesses,
  { timeoutMs, watch, text }: { timeoutMs: number; watch: OneShotWatch; text: () => Captured },
) {
  let stopping: Promise<readonly number[]> | null = null
  let fail: (exit: null) => void = () => undefined
  const failed = new Promise<null>((resolve) => {
    fail = resolve
  })

  function stop(): void {
    if (stopping !== null) return
    watch.onStatus('stopping')
    stopping = endProcesses(run, () => watch.onStatus('killing'))
    void stopping.then((left) => {
      if (left.length > 0) fail(null)
    })
  }

  function timeUp(): void {
    watch.onTimeout(text())
    stop()
  }

  const timer = timeoutMs === 0 ? null : setTimeout(timeUp, timeoutMs)
  watch.signal.addEventListener('abort', stop, { once: true })
  if (watch.signal.aborted) stop()
  return {
    /** Resolves, with null, only when the command itself could not be ended. */
    failed,
    /** Takes no more orders; what was under way, if anything was. */
    leave(): Promise<readonly number[]> | null {
      if (timer !== null) clearTimeout(timer)
      watch.signal.removeEventListener('abort', stop)
      return stopping
    },
    /** Why it was stopped, if somebody said. */
    reason: () => (stopping !== null && watch.signal.aborted ? reasonOf(watch.signal) : null),
  }
}
