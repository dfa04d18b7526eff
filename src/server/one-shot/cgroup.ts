import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Control groups (version 2) for what we start, each with the same limits. */
export interface Cgroups {
  tasks: number
  /** 0 = none. */
  memoryBytes: number
  /** A new one's folder; null when the kernel will not. Those nobody is in any more are removed. */
  make(): string | null
}

export interface CgroupsOptions {
  root: string
  /** 0 = none. */
  tasks: number
  memoryBytes: number
  /** Where our own group is said; a test names another file. */
  self?: string
}

const prefix = 'tandem-'

/**
 * A place for groups of ours, found by trying: the nearest group above our own that hands the
 * controllers down and lets us in. Null when there is none, as in most containers.
 */
export function openCgroups(options: CgroupsOptions): Cgroups | null {
  const { root, tasks, memoryBytes, self = '/proc/self/cgroup' } = options
  if (tasks === 0) return null
  const own = ownGroup(self)
  if (own === null || !words(join(root, 'cgroup.controllers')).includes('pids')) return null
  for (const parent of above(root, own)) {
    const folder = join(parent, `${prefix}${process.pid}`)
    sweep(parent)
    if (words(join(parent, 'cgroup.subtree_control')).includes('pids') && works(folder, options))
      return { tasks, memoryBytes, make: () => make(folder, options) }
  }
  return null
}

/** The version 2 line has no controllers' names: `0::/user.slice/…`. */
function ownGroup(self: string): string | null {
  return /^0::(\/.*)$/m.exec(read(self))?.[1] ?? null
}

/**
 * From the group above our own up to the root. Never our own: while processes are in a group it
 * cannot hand controllers down.
 */
function* above(root: string, own: string): Generator<string> {
  for (let group = own; group !== '/'; group = dirname(group)) yield join(root, dirname(group))
}

function works(folder: string, options: CgroupsOptions): boolean {
  if (!attempt(() => mkdirSync(folder, { recursive: true }))) return false
  const wanted = options.memoryBytes === 0 ? '+pids' : '+pids +memory'
  attempt(() => writeFileSync(join(folder, 'cgroup.subtree_control'), wanted))
  const group = make(folder, options)
  const script = `echo 0 > "$1/cgroup.procs"`
  const isIn = group !== null && spawnSync('/bin/sh', ['-c', script, 'sh', group]).status === 0
  if (group !== null) attempt(() => rmdirSync(group))
  if (!isIn) attempt(() => rmdirSync(folder))
  return isIn
}

function make(folder: string, { tasks, memoryBytes }: CgroupsOptions): string | null {
  sweepGroup(folder)
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
  for (const name of list(parent).filter((each) => each.startsWith(prefix))) {
    sweepGroup(join(parent, name))
    attempt(() => rmdirSync(join(parent, name)))
  }
}

function sweepGroup(folder: string): void {
  for (const name of list(folder)) attempt(() => rmdirSync(join(folder, name)))
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
