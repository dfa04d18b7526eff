import type { ProcFiles } from './proc-files.ts'

export type ProcessFacts = ReturnType<typeof parseStat>

/** `/proc/<pid>/stat`; null when there is no such process (any more). */
export function readProcess(files: ProcFiles, pid: number): ProcessFacts | null {
  const stat = files.text(`/proc/${pid}/stat`)
  return typeof stat === 'string' ? null : parseStat(pid, stat.text)
}

export function parseStat(pid: number, stat: string) {
  // The name is in brackets and may hold anything, so fields count from the last bracket.
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  return {
    pid,
    /** The kernel's short name of the program, 15 bytes at most. */
    program: Buffer.from(stat.slice(stat.indexOf('(') + 1, end), 'latin1').toString('utf8'),
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    /** The foreground process group of its terminal. */
    foreground: Number(fields[5]),
    threads: Number(fields[17]),
    /** Processor time that it and its children that have ended took, in the kernel's ticks. */
    usedTicks: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0),
    /** Its memory is given back already. */
    isEnding: fields[20] === '0',
  }
}

export interface Bounded<T> {
  found: readonly T[]
  /** There was more, and nobody looked at it. */
  cut: boolean
}

/** Threads of a process, the main one first. */
export function readThreads(
  files: ProcFiles,
  { pid, threads }: ProcessFacts,
  max: number,
): Bounded<number> {
  if (threads === 1) return { found: [pid], cut: false }
  const names = files.list(`/proc/${pid}/task`, max) ?? []
  return { found: [pid, ...names.map(Number).filter((tid) => tid !== pid)], cut: threads > max }
}

/** Ten thousand children are a fork bomb; the first few hundred are plenty. */
const childrenBytes = 4096

/** Children of a process, the newest first: what the foreground started is among them. */
export function readChildren(
  files: ProcFiles,
  parent: ProcessFacts,
  maxThreads: number,
): Bounded<number> {
  const threads = readThreads(files, parent, maxThreads)
  let { cut } = threads
  const children = threads.found.flatMap((tid) => {
    const list = files.text(`/proc/${parent.pid}/task/${tid}/children`, childrenBytes)
    if (typeof list === 'string') return []
    // A number may end just there; with it the kernel would say more.
    cut ||= list.text.length > childrenBytes - 16
    return list.text.split(' ').filter(Boolean).map(Number)
  })
  return { found: children.toReversed(), cut }
}

/**
 * Counts how often a thread gave up the processor. The same count later proves that it has not run in
 * between, so nothing it did to its terminal can have changed.
 */
export function readSwitches(
  files: ProcFiles,
  { pid, tid }: { pid: number; tid: number },
): string | null {
  const status = files.text(`/proc/${pid}/task/${tid}/status`)
  if (typeof status === 'string') return null
  return /^voluntary_ctxt_switches:.*$/m.exec(status.text)?.[0] ?? null
}
