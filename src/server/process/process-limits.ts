import { accessSync, constants } from 'node:fs'
import { type Cgroups, openCgroups } from '../one-shot/cgroup.ts'
import { countTasks } from '../one-shot/process-table.ts'

/** How to start a program so that it and all it starts stay within bounds. */
export interface LimitedCommand {
  file: string
  args: readonly string[]
  /** The folder of its control group, if it gets one. */
  cgroup: string | null
}

/** The limits that really hold, not those that were wanted. Null: no limit. */
export interface LimitsInForce {
  /** `cgroup`: for all together. `rlimit`: as far as the system can do it without one. */
  kind: 'cgroup' | 'rlimit' | 'none'
  tasks: number | null
  /** Bytes: of all together in a cgroup, of each process by rlimit. */
  memory: number | null
  /** A sentence for a person. */
  says: string
}

export interface ProcessLimits {
  limitedCommand(file: string, args: readonly string[], lives?: 'short' | 'long'): LimitedCommand
  inForce(lives?: 'short' | 'long'): LimitsInForce
}

export interface ProcessLimitsOptions {
  /** 0 = none. */
  tasks?: number
  /** 0 = none. */
  memoryBytes?: number
  uid?: number
  /** The folder of control groups; a test names another one. */
  cgroupRoot?: string
}

/** Any build fits, threads counted, under any prompt; a fork bomb does not get far enough to hurt. */
export const tasksMax = 4_096
/**
 * Without a control group only all of the user's tasks can be counted, those of the browser too. A
 * shell lives for days while these come and go, so it gets more room than a command of a minute.
 */
const longRoom = 8_192
const starter = '/bin/sh'

/** Limits for shells and one-shot commands. The server itself stays outside of them. */
export function openProcessLimits(options: ProcessLimitsOptions = {}): ProcessLimits {
  const { tasks = tasksMax, memoryBytes = 0, uid = process.getuid?.() ?? 0 } = options
  const room = options.tasks ?? longRoom
  const wanted = { tasks, memoryBytes }
  const cgroups = openCgroups({ ...wanted, root: options.cgroupRoot ?? '/sys/fs/cgroup' })
  /** A process has a memory limit of its own where no control group counts. */
  const each = cgroups?.memoryBytes ? 0 : memoryBytes
  const canStart = isExecutable(starter)
  const byUser = (lives: 'short' | 'long') =>
    userLimit({ tasks: lives === 'short' ? tasks : room, uid })

  return {
    limitedCommand(file, args, lives = 'short') {
      if (!canStart) return { file, args, cgroup: null }
      const cgroup = cgroups?.make() ?? null
      const script =
        cgroup === null ? rlimits(byUser(lives), memoryBytes) : enter(cgroup) + rlimits(null, each)
      return { file: starter, args: ['-c', `${script}exec "$@"`, 'sh', file, ...args], cgroup }
    },
    inForce(lives = 'short') {
      if (!canStart) return { kind: 'none', tasks: null, memory: null, says: 'no limits' }
      if (cgroups !== null) return cgroupForce(cgroups, each)
      return rlimitForce(byUser(lives), memoryBytes)
    },
  }
}

/** When the machine has no memory left, what runs in a shell goes before the server does. */
const killedFirst = 200
/** Sets soft and hard; one that cannot be set is left, and `inForce` never promised it. */
const always = `ulimit -c 0 2>/dev/null; echo ${killedFirst} 2>/dev/null >/proc/self/oom_score_adj; `

const enter = (folder: string) =>
  `echo 0 2>/dev/null >'${folder.replaceAll("'", String.raw`'\''`)}/cgroup.procs'; `

function rlimits(tasks: number | null, memoryBytes: number): string {
  const count =
    tasks === null ? '' : `ulimit -u ${tasks} 2>/dev/null || ulimit -p ${tasks} 2>/dev/null; `
  const memory = memoryBytes === 0 ? '' : `ulimit -d ${Math.ceil(memoryBytes / 1024)} 2>/dev/null; `
  return always + count + memory
}

/** Null when it would not hold, or would hold somebody else back. */
function userLimit({ tasks, uid }: { tasks: number; uid: number }): number | null {
  // The system does not count root's processes.
  if (tasks === 0 || uid === 0) return null
  const running = countTasks(uid)
  return running === null ? null : running + tasks
}

function cgroupForce({ tasks, memoryBytes }: Cgroups, each: number): LimitsInForce {
  const all = memoryBytes === 0 ? '' : ` and ${memoryBytes} bytes`
  const memory = memoryBytes || each || null
  const says = `control group: at most ${tasks} tasks${all}${perProcess(each)}, no core files`
  return { kind: 'cgroup', tasks, memory, says }
}

const perProcess = (bytes: number) => (bytes === 0 ? '' : `, ${bytes} bytes of data a process`)

function rlimitForce(tasks: number | null, memoryBytes: number): LimitsInForce {
  const memory = memoryBytes === 0 ? null : memoryBytes
  const count =
    tasks === null
      ? 'the number of processes is not limited (as root it cannot be without a control group)'
      : `at most ${tasks} tasks of this user, all programs counted`
  const says = `${count}${perProcess(memoryBytes)}, no core files`
  return { kind: 'rlimit', tasks, memory, says }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
