import { topShell } from '../../../terminal/shells.ts'
import { needOf } from '../../../terminal/shell/needs.ts'
import type { Shell } from '../../../terminal/state.ts'
import type { Range } from '../byte-log/read-byte-log.ts'
import type { HolderClient } from '../holder/client.ts'
import type { LiveShell } from '../shell/live-shell.ts'
import { linkedCwd } from '../shell/processes.ts'
import type { RunWatch, TerminalRun, TerminalRunEnd } from '../terminal.ts'
import type { DrawPart, DrawScreen } from './draw-output.ts'
import { createTaskLimit, type TaskLimit } from './task-limit.ts'
import { notStarted } from './unexecuted.ts'
import { type WatchedRun, type WatchedRunDeps, watchRun } from './watched-run.ts'

export interface RunsDeps {
  client: HolderClient
  /** The holder's clock when the connection to it began. */
  hello: { now: number; pts: string }
  /** The byte log's folder. */
  folder: string
  draw: DrawPart | null
  screen: DrawScreen | null
  live: LiveShell
  /** The runs that somebody waits for. */
  watched: Map<string, WatchedRun>
  /** Resolves when the session knows what happened so far. */
  reported(): Promise<void>
  diagnose(error: unknown): void
}

export type Runs = ReturnType<typeof createRuns>

/** Orders runs of the shell, and watches what they print and need. */
export function createRuns(deps: RunsDeps) {
  const { watched, live, hello, reported } = deps
  const limits = new Map<number, TaskLimit | null>()
  let ordered = 0

  /** Null where nothing limits the shell, or the kernel does not see what runs. */
  function tasksOf({ pid, isSeen }: Shell): TaskLimit | null {
    if (!isSeen) return null
    const known = limits.get(pid)
    if (known !== undefined) return known
    const found = createTaskLimit(pid)
    limits.set(pid, found)
    return found
  }

  /** Watches the run before the order for it is heard; whoever ordered it may take it back. */
  function open(
    { id, ...run }: TerminalRun,
    watch: RunWatch,
    { shell, missed, order }: Opening,
  ): Promise<TerminalRunEnd> {
    const { command, by, private: isPrivate = false, timeoutMs, stamp = null } = run
    const opened = watchRun(watch, {
      ...watchedDeps(id, shell, deps),
      tasks: tasksOf(shell),
      missed,
    })
    watched.set(id, opened)
    const ordering = { id, command, by, isPrivate, timeoutMs, stamp }
    live.order({ ...order, run: ordering })
    const stop = () => live.order({ type: 'stop', id })
    const { signal } = watch
    if (signal.aborted) stop()
    else {
      signal.addEventListener('abort', stop, { once: true })
      void opened.end.then(() => signal.removeEventListener('abort', stop))
    }
    return opened.end
  }

  return {
    /** The number of runs that were ordered so far. */
    ordered: () => ordered,
    async run(run: TerminalRun, watch: RunWatch): Promise<TerminalRunEnd> {
      ordered += 1
      // It was ordered for a shell that has left, with which it is over once that is told: so it must not begin.
      if ((run.level ?? 0) > topShell(live.state()).level) await reported()
      const shell = topShell(live.state())
      const no = watch.signal.aborted
        ? 'it was stopped before it began'
        : reasonAgainstCommand(run.command, shell.isByKeys)
      if (no !== null) return notStarted(`The command was not run: ${no}.`)
      return open(run, watch, { shell, missed: null, order: { type: 'run' } })
    },
    async resume(run: TerminalRun, watch: RunWatch): Promise<TerminalRunEnd> {
      const { shells, gone } = live.state()
      const knows = ({ track }: Shell) => track?.id === run.id
      const known = [...shells, ...gone.map((left) => left.shell)].find(knows)
      const missed = known === undefined ? null : printed(known, live.state().head)
      const shell = known ?? topShell(live.state())
      return open(run, watch, { shell, missed, order: { type: 'resume', at: hello.now } })
    },
    settle(id: string): void {
      watched.delete(id)
      live.order({ type: 'settle', id })
    },
  }
}

interface Opening {
  shell: Shell
  missed: Range | null
  order: { type: 'run' } | { type: 'resume'; at: number }
}

/** The output so far of the command that the shell knows; null before it has begun. */
function printed({ track }: Shell, head: number): Range | null {
  const from = track?.from ?? null
  if (track === null || from === null) return null
  return { from: from.offset, to: track.adoptedAt ?? track.to?.offset ?? head }
}

function watchedDeps(
  id: string,
  shell: Shell,
  { live, client, hello, folder, draw, screen, diagnose }: RunsDeps,
): Omit<WatchedRunDeps, 'tasks' | 'missed'> {
  const { pid, isSeen, level } = shell
  const now = () => live.state().shells[level] ?? shell
  return {
    folder,
    pts: hello.pts,
    draw,
    screen,
    shell: {
      pid,
      isSeen,
      cwd: () => (isSeen ? linkedCwd(pid) : null) ?? now().cwd,
      saysStart: () => now().saysStart,
      tellsStart: () => now().integration === 'full',
    },
    head: () => live.state().head,
    kept: live.kept,
    sync: client.sync,
    diagnose,
    from: () => now().track?.from?.offset ?? null,
    needOf(foreground) {
      const { run, track } = now()
      return run === null || track === null ? null : needOf(run, track, foreground)
    },
    replaced: () => (isSeen ? live.look.replaced(pid) : null),
    onForeground: (foreground) => live.listen({ type: 'foreground', run: id, foreground }),
    type: (text) => client.input(Buffer.from(text)),
    interrupt: () => live.order({ type: 'interrupt' }),
  }
}

/** Far above the protocol's limit for a command; a frame must hold it. */
const maxCommandChars = 1024 * 1024
/** Behind a key a command is spelled out letter by letter, and drawn so. */
const maxAdoptedChars = 64 * 1024

/** The reason why no shell could take this command, or null. */
function reasonAgainstCommand(command: string, isByKeys: boolean): string | null {
  if (command.includes('\0')) return 'it contains a NUL character'
  if (command.length > maxCommandChars) return 'it is too long'
  if (isByKeys && command.length > maxAdoptedChars) return 'it is too long for an adopted shell'
  return null
}
