import type { HolderExit } from '../../protocol/holder.ts'
import { logEnd, missingBytes, type Range } from './byte-log-reader.ts'
import type { Mark } from './read-mark.ts'
import { incompleteNote, lostEnd, notStarted, readUnexecuted } from './run-end.ts'
import type { RunOutput } from './run-output.ts'
import type { RunShell } from './run-shell.ts'
import { hasJobs } from './same-terminal.ts'
import type { StopStep } from './stop-ladder.ts'
import { watchTasks } from './task-limit.ts'
import type { Captured, TerminalRun, TerminalRunEnd } from './terminal.ts'
import { codeOf, type RunTrack } from './track-run.ts'
import { withNote } from './with-note.ts'

export interface RunEndingsDeps {
  shell: RunShell
  output: RunOutput
  run: Pick<TerminalRun, 'id' | 'private'>
  track: () => RunTrack
}

/** Says how a run ended: what is known of it, and where it stands in the byte log. */
export interface RunEndings {
  /** Remembers where a run is shown beyond what it printed. */
  note(mark: Mark): void
  /** How far one had to go to stop it; its record says so. */
  stopped(step: StopStep): void
  unstarted(why: string): TerminalRunEnd
  executed(range: Range): Promise<TerminalRunEnd>
  /** Nothing was executed: an empty line, a comment, a syntax error or an unfinished line. */
  unexecuted(): Promise<TerminalRunEnd>
  withShell(from: number, exit: HolderExit): Promise<TerminalRunEnd>
  /** The holder is gone: nobody knows how it ended, but what it had printed by then is there. */
  lost(): Promise<TerminalRunEnd>
}

const stepNotes: Readonly<Record<StopStep, string | null>> = {
  INT: null,
  TERM: 'Ctrl+C had no effect; TERM was sent.',
  KILL: 'Ctrl+C and TERM had no effect; KILL was sent.',
}
const lostNote = 'The connection to the shell was lost.'

export function createRunEndings({ shell, output, run, track }: RunEndingsDeps): RunEndings {
  const injectedAt = shell.head()
  const refusedBefore = shell.kept().refusedBytes
  const tasks = shell.isSeen ? watchTasks({ shellPid: shell.pid }) : null
  let promptAt = 0
  let restores = false
  let lastStep: StopStep = 'INT'

  const shownFrom = (from: number) => Math.min(from, injectedAt, track().loaded?.offset ?? from)

  /** With the command at the prompt before it, what the shell says of it before the next, and what its jobs print. */
  function shownIn({ from, to }: Range): NonNullable<TerminalRunEnd['shown']> {
    // What was not executed may stand in the line until the shell has taken it out.
    const isKept = track().from === null && restores
    const isOpen = isKept || (run.private === true && shell.isSeen && hasJobs(shell.pid))
    return { from: shownFrom(from), to: isOpen ? null : Math.max(to, promptAt) }
  }

  /** The files say it; they are asked only where something can be missing. */
  async function omittedOf(range: Range): Promise<number> {
    if (range.from >= (shell.kept().missingBefore ?? Number.POSITIVE_INFINITY)) return 0
    await shell.sync()
    return missingBytes(shell.folder, range)
  }

  async function ending(range: Range, endTime = track().to?.time) {
    const { from, loaded, cwd } = track()
    const startTime = from?.time ?? loaded?.time
    const known = startTime !== undefined && endTime !== undefined
    return {
      durationMs: known ? Math.max(0, Math.round(endTime - startTime)) : 0,
      bytes: range.to - range.from,
      omitted: await omittedOf(range),
      cwdAfter: cwd ?? shell.cwd(),
      ptyFrom: range.from,
      ptyTo: range.to,
      shown: shownIn(range),
    }
  }

  function refused(): string | null {
    const bytes = shell.kept().refusedBytes - refusedBefore
    return bytes > 0 ? `The disk was full: ${bytes} bytes of the output were not kept.` : null
  }

  /** What was printed, with a word about what one would not see in it. */
  function told(captured: Captured): Captured {
    const notes = [refused(), tasks?.end() ?? null, stepNotes[lastStep]]
    return notes.filter((note) => note !== null).reduce(withNote, captured)
  }

  return {
    note(mark) {
      if (mark.kind === 'prompt-start') promptAt = mark.offset
      if (mark.kind === 'loaded' && mark.id === run.id) ({ restores } = mark)
    },
    stopped(step) {
      lastStep = step
    },
    unstarted(why) {
      tasks?.end()
      return { ...notStarted(why), shown: { from: shownFrom(injectedAt), to: null } }
    },
    async executed(range) {
      const captured = told(await output.finish(range))
      return {
        ...(await ending(range)),
        outcome: 'ended',
        exitCode: codeOf(track()),
        signal: null,
        output: track().incomplete ? withNote(captured, incompleteNote) : captured,
      }
    },
    async unexecuted() {
      const { to, prompted, loaded, incomplete } = track()
      const end = to ?? prompted?.at
      const range = { from: loaded?.offset ?? 0, to: end?.offset ?? shell.head() }
      await shell.sync()
      const found = await readUnexecuted(shell.folder, range)
      const isSilent = !incomplete && found.output.head.trim() === ''
      return {
        ...(await ending(found.range)),
        outcome: 'ended',
        exitCode: isSilent ? 0 : codeOf(track()),
        signal: null,
        output: told(incomplete ? withNote(found.output, incompleteNote) : found.output),
      }
    },
    async withShell(from, exit) {
      const end = track().adoptedAt ?? track().to?.offset ?? shell.head()
      const range = { from, to: Math.max(from, end) }
      return {
        ...(await ending(range, exit.time)),
        outcome: 'shell_exited',
        exitCode: exit.code,
        signal: exit.signal,
        cwdAfter: null,
        output: told(await output.finish(range)),
      }
    },
    async lost() {
      const { from, to, adoptedAt } = track()
      if (from === null) return lostEnd(lostNote)
      // The log may have more than was heard, and what was heard may not be in it yet.
      const end = adoptedAt ?? to?.offset ?? Math.max(shell.head(), await logEnd(shell.folder))
      const range = { from: from.offset, to: Math.max(from.offset, end) }
      return {
        ...(await ending(range)),
        outcome: 'lost',
        exitCode: null,
        signal: null,
        omitted: await missingBytes(shell.folder, range),
        cwdAfter: null,
        output: told(await output.finish(range)),
      }
    },
  }
}
