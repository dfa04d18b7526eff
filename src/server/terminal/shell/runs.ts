import { needOf } from '../../../terminal/needs.ts'
import { topShell } from '../../../terminal/select.ts'
import type { Shell } from '../../../terminal/state.ts'
import type { DrawPart } from '../draw-output.ts'
import type { HolderClient } from '../holder-client.ts'
import { linkedCwd } from '../linked-cwd.ts'
import { notStarted } from '../run-end.ts'
import type { DrawScreen } from '../run-sight.ts'
import { createTaskLimit, type TaskLimit } from '../task-limit.ts'
import type { RunWatch, Terminal, TerminalRun } from '../terminal.ts'
import type { LiveShell } from './live-shell.ts'
import { orderOf, type WatchedRun, watchRun } from './watched-run.ts'

export interface RunsDeps {
  client: HolderClient
  /** When the connection to the holder began, on its clock. */
  hello: { now: number }
  /** The byte log's folder. */
  folder: string
  pts: string
  draw: DrawPart | null
  screen: DrawScreen | null
  shell(): LiveShell
  diagnose(error: unknown): void
}

export interface Runs extends Pick<Terminal, 'run' | 'resume'> {
  watched: ReadonlyMap<string, WatchedRun>
  /** The end of the run is on disk. */
  forget(id: string): void
}

/** The runs that somebody waits for, each with what it prints and needs. */
export function createRuns(deps: RunsDeps): Runs {
  const { client, folder, pts, draw, screen, hello } = deps
  const watched = new Map<string, WatchedRun>()
  const limits = new Map<number, TaskLimit>()

  function tasksOf(pid: number): TaskLimit {
    const known = limits.get(pid) ?? createTaskLimit({ shellPid: pid })
    limits.set(pid, known)
    return known
  }

  function open({ id }: TerminalRun, watch: RunWatch, shell: Shell): WatchedRun {
    const live = deps.shell()
    const { pid, isSeen, level } = shell
    const now = () => live.state().shells[level] ?? shell
    const cwd = () => (isSeen ? linkedCwd(pid) : null) ?? now().cwd
    const run = watchRun(watch, {
      folder,
      pts,
      tasks: isSeen ? tasksOf(pid) : null,
      draw,
      screen,
      shell: {
        pid,
        isSeen,
        cwd,
        saysStart: () => now().saysStart,
        tellsStart: () => now().integration === 'full',
      },
      head: () => live.state().head,
      kept: live.kept,
      sync: client.sync,
      diagnose: deps.diagnose,
      from: () => now().track?.from?.offset ?? null,
      needOf(foreground) {
        const { run: current, track } = now()
        return current === null || track === null ? null : needOf(current, track, foreground)
      },
      replaced: () => (isSeen ? live.look.replaced(pid) : null),
      onForeground: (foreground) => live.listen({ type: 'foreground', run: id, foreground }),
      type: (text) => client.input(Buffer.from(text)),
      interrupt: () => live.listen({ type: 'order', order: { type: 'interrupt' } }),
    })
    watched.set(id, run)
    return run
  }

  /** Whoever ordered it may take it back. */
  function followAbort({ id }: TerminalRun, { signal }: RunWatch): void {
    const stop = () => deps.shell().listen({ type: 'order', order: { type: 'stop', id } })
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    void watched.get(id)?.end.then(() => signal.removeEventListener('abort', stop))
  }

  return {
    watched,
    forget: (id) => void watched.delete(id),
    async run(run, watch) {
      const live = deps.shell()
      const shell = topShell(live.state())
      const no = watch.signal.aborted
        ? 'it was stopped before it began'
        : reasonAgainstCommand(run.command, shell.isByKeys)
      if (no !== null) return notStarted(`The command was not run: ${no}.`)
      const opened = open(run, watch, shell)
      live.listen({ type: 'order', order: { type: 'run', run: orderOf(run) } })
      followAbort(run, watch)
      return opened.end
    },
    async resume(run, watch) {
      const live = deps.shell()
      const { shells, gone } = live.state()
      const knows = ({ track }: Shell) => track?.id === run.id
      const shell =
        [...shells, ...gone.map((left) => left.shell)].find(knows) ?? topShell(live.state())
      const opened = open(run, watch, shell)
      const { track } = shell
      const from = track?.id === run.id ? track.from : null
      if (from !== null && track !== null) {
        const to = track.adoptedAt ?? track.to?.offset ?? live.state().head
        opened.catchUp({ from: from.offset, to })
      }
      live.listen({ type: 'order', order: { type: 'resume', run: orderOf(run), at: hello.now } })
      followAbort(run, watch)
      return opened.end
    },
  }
}

/** Far above the protocol's limit for a command; a frame must hold it. */
const maxCommandChars = 1024 * 1024
/** Behind a key a command is spelled out letter by letter, and drawn so. */
const maxAdoptedChars = 64 * 1024

/** Why no shell could take this command, or null. */
function reasonAgainstCommand(command: string, isByKeys: boolean): string | null {
  if (command.includes('\0')) return 'it contains a NUL character'
  if (command.length > maxCommandChars) return 'it is too long'
  if (isByKeys && command.length > maxAdoptedChars) return 'it is too long for an adopted shell'
  return null
}
