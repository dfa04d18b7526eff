import { execFile } from 'node:child_process'
import {
  classify,
  mostTelling,
  unknown,
  type Foreground,
  type Keys,
  type Member,
} from './classify.ts'
import { readThread, type ProbeTarget, type ThreadFacts } from './read-thread.ts'
import {
  readProcess,
  readSwitches,
  readThreads,
  type Bounded,
  type ProcessFacts,
  findMembers,
} from './read-process.ts'
import { procFiles, type ProcFiles } from './proc-files.ts'
import { knowsCalls } from '../../../base/blocked-call.ts'

export interface ProbeOptions {
  shellPid: number
  pts: string
  /** The rest is the machine we are on, unless a test says otherwise. */
  platform?: string
  arch?: string
  files?: ProcFiles
  readKeys?: (pts: string) => Promise<Keys | null>
  now?: () => number
}

export type Probe = ReturnType<typeof createProbe>

/** A virtual machine with more is busy, not asking; a thread costs a file to look at. */
const maxThreads = 128
/** One short program after the other ends while we look; that there is a next one tells enough. */
const maxTries = 3
/** Even with everyone blocked since, someone else may have changed the terminal's settings. */
const keysMs = 5000

/** Asks the kernel what the foreground of a terminal does. Reads some files, and rarely starts `stty`. */
export function createProbe(options: ProbeOptions) {
  const { shellPid, pts, platform = process.platform, arch = process.arch } = options
  const { files = procFiles, now = () => performance.now() } = options
  const target: ProbeTarget = { files, arch, pts }
  const able = platform === 'linux' && knowsCalls(arch)
  let known: { key: string; at: number; keys: Keys } | null = null

  /** Says what the foreground does now. */
  async function read(): Promise<Foreground> {
    if (!able) return unknown
    let last = unknown
    const groups = new Set<number>()
    for (let time = 0; time < maxTries; time += 1) {
      const shell = readProcess(files, shellPid)
      if (shell === null || shell.foreground <= 0) return unknown
      groups.add(shell.foreground)
      const { said, again } = await readGroup(shell.foreground)
      if (!again) return said
      last = said
    }
    return groups.size > 1 ? { state: 'running', certain: true } : last
  }

  /** Worth another look if it does not tell: everyone was gone before we had looked, or half gone. */
  async function readGroup(group: number): Promise<{ said: Foreground; again: boolean }> {
    const members = findMembers(files, { shell: shellPid, group })
    const { found, cut } = await threadsOf(target, members)
    const telling = mostTelling(found)
    const keys = telling === null ? null : await keysFor(group, telling)
    const said = classify({ shell: shellPid, members: found, cut, keys })
    return { said, again: said.state === 'unknown' && !cut }
  }

  /** Starting `stty` is the dear part: not again for a thread that has not run since. */
  async function keysFor(group: number, { pid, tid, syscall }: MemberThread): Promise<Keys | null> {
    const switches = readSwitches(files, { pid, tid })
    const key = `${group} ${pid} ${tid} ${switches} ${syscall}`
    if (known?.key === key && switches !== null && now() - known.at < keysMs) return known.keys
    const at = now()
    const keys = await (options.readKeys ?? readKeys)(pts)
    known = keys === null ? null : { key, at, keys }
    return keys
  }

  return {
    read,
    /** Something was printed or typed: nothing remembered counts any more. */
    forget(): void {
      known = null
    },
  }
}

type MemberThread = Member & ThreadFacts

/** Stops at the first reader of the terminal: nothing else could outweigh it. */
async function threadsOf(
  target: ProbeTarget,
  members: Bounded<ProcessFacts>,
): Promise<Bounded<MemberThread>> {
  const found: MemberThread[] = []
  let { cut } = members
  let left = maxThreads
  for (const member of members.found) {
    if (left <= 0) return { found, cut: true }
    const threads = readThreads(target.files, member, left)
    cut ||= threads.cut
    left -= threads.found.length
    const facts = await Promise.all(
      threads.found.map((tid) => readThread(target, { pid: member.pid, tid })),
    )
    for (const thread of facts) {
      if (thread !== null) found.push({ ...thread, program: member.program })
    }
    if (found.some(({ doing }) => doing === 'read')) break
  }
  return { found, cut }
}

/** A terminal that does not answer by then is gone. */
const limitMs = 2000

export async function readKeys(pts: string): Promise<Keys | null> {
  const settings = await readSettings(pts)
  return settings === null ? null : parseKeys(settings)
}

/** The terminal's settings in the words of `stty`; null when they cannot be read. */
export function readSettings(pts: string): Promise<string | null> {
  // Whatever program has that name gets nothing of the server's environment but where programs are.
  const { PATH } = process.env
  const env = { ...(PATH !== undefined && { PATH }), LC_ALL: 'C' }
  const read = new Promise<string | null>((resolve) => {
    execFile('stty', ['-F', pts, '-a'], { timeout: limitMs, env }, (error, settings) =>
      resolve(error === null ? settings : null),
    )
  })
  // Out of memory, starting a program throws.
  return read.catch(() => null)
}

export function parseKeys(settings: string): Keys | null {
  const set = new Set(settings.split(/[\s;]+/))
  if (set.has('-icanon')) return 'raw'
  if (!set.has('icanon')) return null
  return set.has('-echo') ? 'hidden' : 'line'
}
