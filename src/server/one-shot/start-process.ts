import { access, constants, stat, writeFile } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { ok, refused, type Result } from '../../base/result.ts'
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Collected } from './spool.ts'
import { markName, readProcess } from './process-table.ts'
import { writeRunFile } from './run-file.ts'
import type { LimitedCommand } from '../process/process-limits.ts'

interface Place {
  /** A name to be looked for in PATH, or a file. */
  shell: string
  cwd: string
  env: Readonly<Record<string, string>>
}

/** The shell's file, or a sentence why the command cannot be started there. */
export async function findStart({ shell, cwd, env }: Place): Promise<Result<string, string>> {
  const problem = await badFolder(cwd)
  if (problem !== null) return refused(`The command was not run: ${problem}`)
  const places = shell.includes('/')
    ? [shell]
    : (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).map((at) => join(at, shell))
  for (const place of places) if (await isProgram(place)) return ok(place)
  return refused(
    `The command was not run: there is no shell "${shell}". Install it or set --shell.`,
  )
}

async function badFolder(cwd: string): Promise<string | null> {
  if (!isAbsolute(cwd)) return `the folder "${cwd}" is not an absolute path.`
  try {
    if (!(await stat(cwd)).isDirectory()) return `${cwd} is not a folder.`
    await access(cwd, constants.X_OK)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EACCES' || code === 'EPERM') return `the folder ${cwd} may not be entered.`
    if (code === 'ENOTDIR') return `${cwd} is not a folder.`
    return `the folder ${cwd} does not exist.`
  }
}

/** A file that may be run. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** The shell is a file. */
export interface ProcessStart extends Place {
  command: string
  mark: string
  folder: string
  limit: (file: string, args: readonly string[]) => LimitedCommand
  read: (name: 'stdout' | 'stderr', stream: Readable) => Collected
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface StartedProcess {
  pid: number
  startTime: number
  cgroup: string | null
  stdout: Collected
  stderr: Collected
  exit: Promise<Exit>
}

/** One argument of a program may have 128 KiB; with room for what else the line says. */
const maxArgBytes = 120 * 1024

/**
 * Leads a session and a group of its own, without a terminal, its input at its end. The run file is
 * there first: whatever happens from here on, the next server can find it.
 */
export async function startProcess(start: ProcessStart): Promise<Result<StartedProcess, string>> {
  const { mark, folder } = start
  try {
    await writeRunFile(folder, { mark, leader: null })
    const { cgroup, ...program } = start.limit(start.shell, await shellArgs(start))
    const spawned = await spawnProcess(start, program)
    if (!spawned.ok) return spawned
    const { pid, startTime } = spawned.value
    // It runs now, whatever the disk says: without its leader the file still has the mark.
    await writeRunFile(folder, { mark, leader: { pid, startTime } }).catch(() => undefined)
    return ok({ ...spawned.value, cgroup })
  } catch (error) {
    return notRun(error)
  }
}

function notRun(error: unknown): Result<never, string> {
  const why = error instanceof Error ? error.message : String(error)
  return refused(`The command was not run: ${why}.`)
}

async function shellArgs({ command, folder }: ProcessStart): Promise<readonly string[]> {
  // Behind a blank it is no option of the shell’s, whatever it begins with.
  if (Buffer.byteLength(command) < maxArgBytes) return ['-c', ` ${command}`]
  const file = join(folder, 'command')
  await writeFile(file, command, { mode: 0o600 })
  return [file]
}

function spawnProcess(
  { cwd, env, mark, read }: ProcessStart,
  { file, args }: { file: string; args: readonly string[] },
): Promise<Result<Omit<StartedProcess, 'cgroup'>, string>> {
  return new Promise((resolve) => {
    try {
      const child = spawn(file, [...args], {
        cwd,
        // There is no terminal, so nothing should draw as if there were.
        env: { ...env, TERM: 'dumb', [markName]: mark },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child.on('error', (error) => resolve(notRun(error)))
      const { pid } = child
      if (pid === undefined) return
      const exit = new Promise<Exit>((done) => {
        child.on('exit', (code, signal) => done({ code, signal }))
      })
      const stdout = read('stdout', child.stdout)
      const stderr = read('stderr', child.stderr)
      // Nobody has waited for it yet, so it is there, dead or alive.
      const startTime = readProcess(pid)?.startTime ?? 0
      resolve(ok({ pid, startTime, stdout, stderr, exit }))
    } catch (error) {
      resolve(notRun(error))
    }
  })
}
