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

/** A large build fits; more than that is not worth a busy machine's time, and is called unknown. */
const maxLooks = 96
/** Any of a process's threads may have children. */
const maxThreads = 128

/**
 * The living processes of the terminal's foreground group. Its leader may be gone while the rest of
 * a pipeline lives on, and the shell that started it may itself be nested.
 */
export function findMembers(
  files: ProcFiles,
  { shell, group }: { shell: number; group: number },
): Bounded<ProcessFacts> {
  const seen = new Set<number>()
  const found: ProcessFacts[] = []
  const bounds = { cut: false }

  function readOnce(pid: number): ProcessFacts | null {
    if (seen.has(pid)) return null
    if (seen.size >= maxLooks) bounds.cut = true
    if (bounds.cut) return null
    seen.add(pid)
    return readProcess(files, pid)
  }

  function childrenOf(parent: ProcessFacts): readonly number[] {
    if (bounds.cut) return []
    const children = readChildren(files, parent, maxThreads)
    // The newest are looked at all the same.
    if (children.cut) children.found.slice(0, maxLooks).forEach(addMember)
    bounds.cut ||= children.cut
    return children.found
  }

  function addMember(pid: number): ProcessFacts | null {
    const process = readOnce(pid)
    if (process?.group === group && !process.isEnding) found.push(process)
    return process
  }

  /** Level by level, below members only, or below everyone. */
  function walk(pids: readonly number[], below: 'members' | 'everyone'): void {
    let level = pids
    while (level.length > 0) {
      const processes = level.map(addMember).filter((process) => process !== null)
      const parents =
        below === 'everyone' ? processes : processes.filter((process) => process.group === group)
      level = parents.flatMap(childrenOf)
    }
  }

  const leader = readProcess(files, group)
  walk([group], 'members')
  const parent = group === shell || leader === null ? null : readProcess(files, leader.parent)
  if (parent !== null) walk(childrenOf(parent), 'members')
  if (found.length === 0) {
    seen.clear()
    walk([shell], 'everyone')
  }
  return { found, cut: bounds.cut }
}
