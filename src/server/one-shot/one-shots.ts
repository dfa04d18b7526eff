import { readdir, rm, stat, realpath } from 'node:fs/promises'
import { join, basename, delimiter } from 'node:path'
import type { RunEnd } from '../../protocol/events/run.ts'
import type { LiveShell } from '../../session/policy/facts.ts'
import type { RunId } from '../../protocol/events/seq.ts'
import type { LimitedCommand } from '../process/process-limits.ts'
import type { LiveState } from '../../session/policy/live/live-state.ts'
import { isProgram } from './start-process.ts'
import { execute } from './execute.ts'
import { cancelled, notStarted, type OneShotEnd, type OneShotWatch } from './run-processes.ts'
import { endLeftovers } from './run-file.ts'
import type { Slots } from './slots.ts'
import { readSpool } from './spool.ts'

/** As much as a session's byte log: output of one-shot runs beyond it goes, the oldest first. */
const maxBytes = 256 * 1024 * 1024

/** Removes the oldest runs' output until there is room for another. Runs under way are not touched. */
export async function makeRoom(
  folder: string,
  { busy, cap = maxBytes }: { busy: ReadonlySet<string>; cap?: number },
): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const runs = await Promise.all(names.map((name) => sizeOf(join(folder, name), name)))
  let total = runs.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { name, bytes } of runs.sort((a, b) => a.at - b.at)) {
    if (total <= cap) return
    if (busy.has(name)) continue
    await rm(join(folder, name), { recursive: true, force: true })
    total -= bytes
  }
}

async function sizeOf(
  folder: string,
  name: string,
): Promise<{ name: string; bytes: number; at: number }> {
  const files = await readdir(folder).catch(() => [])
  const stats = await Promise.all(files.map((file) => stat(join(folder, file)).catch(() => null)))
  const bytes = stats.reduce((sum, found) => sum + (found?.size ?? 0), 0)
  const at = stats.reduce((last, found) => Math.max(last, found?.mtimeMs ?? 0), 0)
  return { name, bytes, at }
}

export interface OneShotRun {
  id: RunId
  command: string
  /** Null is the session's workspace. */
  cwd: string | null
  /** 0 = none; it counts from the start, not while it waits for its turn. */
  timeoutMs: number
}

export interface OutputRange {
  run: RunId
  /** How the run ended: it says how much there was of each stream. */
  end: RunEnd
  from: number
  to: number
}

/** The one-shot commands of a session: child processes beside its terminal. */
export interface OneShots {
  /** The shell that a run would have, as far as these names go; null when nobody can say. */
  shell(cwd: string, names: readonly string[]): Promise<LiveShell | null>
  run(run: OneShotRun, watch: OneShotWatch): Promise<OneShotEnd>
  /** Kept bytes of a run's output: all of stdout, then all of stderr, in one count of offsets. */
  readOutput(range: OutputRange): Promise<Buffer>
  /** Ends what the runs of a server that died left behind. */
  endLeftovers(): Promise<void>
}

export interface OneShotsDeps {
  /** The session's own folder. */
  folder: string
  workspace: string
  shell: string
  env: Readonly<Record<string, string>>
  /** Shared by all sessions of the team. */
  slots: Slots
  limit: (file: string, args: readonly string[]) => LimitedCommand
  diagnose(message: string, error: unknown): void
}

export function createOneShots(deps: OneShotsDeps): OneShots {
  const folder = join(deps.folder, 'one-shot')
  const busy = new Set<string>()

  function report(left: readonly number[]): void {
    if (left.length > 0) deps.diagnose('processes could not be ended', left.join(', '))
  }

  return {
    shell: (cwd, names) => oneShotShell({ shell: deps.shell, env: deps.env, cwd }, names),
    async run({ id, command, cwd, timeoutMs }, watch) {
      const release = await deps.slots.take(watch.signal)
      if (release === null) return notStarted(cancelled(watch.signal))
      busy.add(id)
      try {
        await makeRoom(folder, { busy })
        const { shell, env, limit, workspace } = deps
        const place = { cwd: cwd ?? workspace, outFolder: join(folder, id) }
        const end = await execute({ id, command, timeoutMs, shell, env, limit, ...place }, watch)
        report(end.notEnded)
        return end
      } finally {
        busy.delete(id)
        release()
      }
    },
    async readOutput({ run, end, from, to }) {
      const stdout = end.stdout?.bytes ?? 0
      const at = join(folder, run)
      const first = { from, to: Math.min(to, stdout), total: stdout }
      const second = {
        from: Math.max(from - stdout, 0),
        to: to - stdout,
        total: end.stderr?.bytes ?? 0,
      }
      const parts: Buffer[] = []
      if (first.from < first.to) parts.push(await readSpool(join(at, 'stdout'), first))
      if (second.from < second.to) parts.push(await readSpool(join(at, 'stderr'), second))
      return Buffer.concat(parts)
    },
    async endLeftovers() {
      report(await endLeftovers(folder))
    },
  }
}

interface OneShotPlace {
  /** A name to be looked for in PATH, or a file. */
  shell: string
  env: Readonly<Record<string, string>>
  cwd: string
}

/**
 * A bash as a one-shot run starts it: without start files, aliases or functions, its programs along PATH. Null when it
 * would read a file first or gets functions from outside, and for other shells, which read one always.
 */
export async function oneShotShell(
  { shell, env, cwd }: OneShotPlace,
  names: readonly string[],
): Promise<LiveShell | null> {
  const isOdd = Object.keys(env).some((name) =>
    /^(BASH_ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|BASH_FUNC_.*)$/.test(name),
  )
  if (basename(shell) !== 'bash' || isOdd) return null
  const folders = (env['PATH'] ?? '').split(delimiter)
  const path = await Promise.all(
    folders.map(async (folder) => ({
      folder,
      physical: folder.startsWith('/') ? await realpath(folder).catch(() => null) : null,
    })),
  )
  const found = await Promise.all(
    names.map(async (name) => [name, await findProgram(folders, name)] as const),
  )
  const state: LiveState = {
    ...plain,
    cwd,
    path,
    asked: new Set(names),
    found: new Map(found.flatMap(([name, place]) => (place === null ? [] : [[name, place]]))),
  }
  return { state, baseline: state }
}

async function findProgram(folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders) {
    const place = join(folder || '.', name)
    if (await isProgram(place)) return `${folder || '.'}/${name}`
  }
  return null
}

const plain = {
  shell: 'bash',
  options: new Set(['braceexpand', 'hashall', 'interactive_comments']),
  aliases: new Map(),
  globalAliases: new Map(),
  suffixAliases: new Map(),
  functions: new Set<string>(),
  exportedFunctions: new Set<string>(),
  bodies: new Map(),
  hashes: new Map(),
  // Those that the policy knows; another one of bash's would be asked about anyway.
  builtins: new Set(': [ cd command echo false printf pwd test true type'.split(' ')),
  disabled: new Set<string>(),
  traps: { text: '', names: new Set<string>() },
  hooks: new Map(),
  variables: new Map(),
} as const
