import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute, type Execution } from '../../../src/server/one-shot/execute.ts'
import type { OneShotEnd, OneShotWatch } from '../../../src/server/one-shot/run-processes.ts'
import { openProcessLimits } from '../../../src/server/process/process-limits.ts'
import { createSignal } from '../../support/signal.ts'

export interface TempPlace {
  folder: string
  run(command: string, options?: RunOptions): Promise<OneShotEnd>
  /** Starts one and says what it prints, so that a test can wait for a word of it. */
  start(command: string, options?: RunOptions): StartedRun
  remove(): void
}

export interface RunOptions extends Partial<Execution>, Partial<OneShotWatch> {}

export interface StartedRun {
  id: string
  outFolder: string
  end: Promise<OneShotEnd>
  stop: (reason?: string) => void
  /** What it printed so far, once that fits. */
  printed(fits: RegExp): Promise<string>
  statuses: readonly string[]
}

const { limitedCommand } = openProcessLimits()

/** A folder of its own and real commands in it, with the limits that users get. */
export function openPlace(): TempPlace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-one-shot-')))

  function start(command: string, options: RunOptions = {}): StartedRun {
    const id = options.id ?? `sh-${randomUUID()}`
    const outFolder = join(folder, 'one-shot', id)
    const controller = new AbortController()
    const changed = createSignal()
    const statuses: string[] = []
    let text = ''
    const end = execute(
      {
        id,
        command,
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8' },
        shell: 'bash',
        timeoutMs: 0,
        outFolder,
        limit: limitedCommand,
        ...options,
      },
      {
        signal: options.signal ?? controller.signal,
        onOutput(more) {
          // The last of it will do: a flood must not fill the memory that a test measures.
          text = (text + more).slice(-100_000)
          options.onOutput?.(more)
          changed.fire()
        },
        onTimeout: options.onTimeout ?? (() => undefined),
        onStatus: (status) => void statuses.push(status),
      },
    )
    return {
      id,
      outFolder,
      end,
      statuses,
      stop: (reason) => controller.abort(reason),
      async printed(fits) {
        await changed.until(() => fits.test(text))
        return text
      },
    }
  }

  return {
    folder,
    start,
    run: (command, options) => start(command, options).end,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}

/** The pids a command printed, one a line behind a word: `child 123`. */
export function pidsIn(text: string): number[] {
  return [...text.matchAll(/^\w+ (\d+)$/gm)].map(([, pid]) => Number(pid))
}

export function kept(folder: string, stream: 'stdout' | 'stderr'): string {
  const path = join(folder, stream)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
