import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Control groups for what we start, each with the same limits. */
export interface Cgroups {
  tasks: number
  /** Memory of all groups together; 0 = none. */
  memoryBytes: number
  /** A new one's folder; null when the kernel will not. Those nobody is in any more are removed. */
  make(): string | null
}

export interface CgroupsOptions {
  root: string
  /** 0 = none. */
  tasks: number
  memoryBytes: number
  /** The file that names our own group; a test names another one. */
  self?: string
}

const prefix = 'tandem-'

/** The folder for our groups, and whether memory can be counted there. */
interface Place {
  parent: string
  memory: boolean
}

/** A place for groups of ours, found by trying. Null when there is none, as in most containers. */
export function openCgroups(options: CgroupsOptions): Cgroups | null {
  const { root, tasks, self = '/proc/self/cgroup' } = options
  if (tasks === 0) return null
  for (const { parent, memory } of places(root, read(self))) {
    const folder = join(parent, `${prefix}${process.pid}`)
    const limits = { tasks, memoryBytes: memory ? options.memoryBytes : 0 }
    sweep(parent)
    if (works(folder, limits)) return { ...limits, make: () => make(folder, limits) }
  }
  return null
}

/** Version 2 is one tree for all controllers; version 1 has one for each. Many machines have both. */
function* places(root: string, self: string): Generator<Place> {
  const own = /^0::(\/.*)$/m.exec(self)?.[1]
  if (own !== undefined && words(join(root, 'cgroup.controllers')).includes('pids'))
    for (const parent of above(root, own))
      if (words(join(parent, 'cgroup.subtree_control')).includes('pids'))
        yield { parent, memory: true }
  const counted = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(\/.*)$/m.exec(self)?.[1]
  const parent = join(root, 'pids', counted ?? '')
  // In a container that does not see its own place there is none.
  if (counted !== undefined && existsSync(parent)) yield { parent, memory: false }
}

/**
 * From the group above our own up to the root. Never our own: while processes are in a group it
 * cannot hand controllers down.
 */
function* above(root: string, own: string): Generator<string> {
  for (let group = own; group !== '/'; group = dirname(group)) yield join(root, dirname(group))
}

type Limits = Pick<CgroupsOptions, 'tasks' | 'memoryBytes'>

function works(folder: string, limits: Limits): boolean {
  if (!attempt(() => mkdirSync(folder, { recursive: true }))) return false
  const wanted = limits.memoryBytes === 0 ? '+pids' : '+pids +memory'
  attempt(() => writeFileSync(join(folder, 'cgroup.subtree_control'), wanted))
  const group = make(folder, limits)
  const script = `echo 0 > "$1/cgroup.procs"`
  const isIn = group !== null && spawnSync('/bin/sh', ['-c', script, 'sh', group]).status === 0
  if (group !== null) attempt(() => rmdirSync(group))
  if (!isIn) attempt(() => rmdirSync(folder))
  return isIn
}

function make(folder: string, { tasks, memoryBytes }: Limits): string | null {
  sweepGroup(folder)
  // Its name begins with its age.
  const group = join(folder, `${Date.now().toString(36)}-${counter++}`)
  const isMade = attempt(() => {
    mkdirSync(group)
    writeFileSync(join(group, 'pids.max'), String(tasks))
    if (memoryBytes > 0) writeFileSync(join(group, 'memory.max'), String(memoryBytes))
  })
  if (!isMade) attempt(() => rmdirSync(group))
  return isMade ? group : null
}

let counter = 0

/** Groups of earlier servers go when the last shell in them has ended: the kernel keeps the others. */
function sweep(parent: string): void {
  const ours = list(parent).filter((each) => each.startsWith(prefix))
  // A group that is being filled looks empty.
  for (const name of ours.filter((each) => !existsSync(`/proc/${each.slice(prefix.length)}`))) {
    for (const group of list(join(parent, name)))
      attempt(() => rmdirSync(join(parent, name, group)))
    attempt(() => rmdirSync(join(parent, name)))
  }
}

/** A group is empty until its process has found its way in. */
const youngMs = 60_000

function sweepGroup(folder: string): void {
  const isOld = (name: string) => Date.now() - Number.parseInt(name, 36) > youngMs
  for (const name of list(folder).filter(isOld)) attempt(() => rmdirSync(join(folder, name)))
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  } catch {
    return []
  }
}

function words(path: string): readonly string[] {
  return read(path).trim().split(/\s+/)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
