import { join } from 'node:path'
import type { RunEnd } from '../../protocol/run.ts'
import type { RunId } from '../../protocol/seq.ts'
import type { LimitedCommand } from '../process-limits.ts'
import { execute } from './execute.ts'
import { makeRoom } from './make-room.ts'
import { cancelled, notStarted, type OneShotEnd } from './one-shot-end.ts'
import { endLeftovers } from './run-file.ts'
import type { Slots } from './slots.ts'
import { readSpool } from './spool.ts'
import type { OneShotWatch } from './stop-run.ts'

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
