import type { HolderExit } from '../../protocol/holder.ts'
import { missingBytes, type Range } from './byte-log-reader.ts'
import type { Mark } from './read-mark.ts'
import { incompleteNote, notStarted, readUnexecuted } from './run-end.ts'
import type { RunOutput } from './run-output.ts'
import type { RunShell } from './run-shell.ts'
import { hasJobs } from './same-terminal.ts'
import type { TerminalRun, TerminalRunEnd } from './terminal.ts'
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
  unstarted(why: string): TerminalRunEnd
  executed(range: Range): Promise<TerminalRunEnd>
  /** Nothing was executed: an empty line, a comment, a syntax error or an unfinished line. */
  unexecuted(): Promise<TerminalRunEnd>
  withShell(from: number, exit: HolderExit): Promise<TerminalRunEnd>
}

export function createRunEndings({ shell, output, run, track }: RunEndingsDeps): RunEndings {
  const injectedAt = shell.head()
  let promptAt = 0
  let restores = false

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

  return {
    note(mark) {
      if (mark.kind === 'prompt-start') promptAt = mark.offset
      if (mark.kind === 'loaded' && mark.id === run.id) ({ restores } = mark)
    },
    unstarted: (why) => ({
      ...notStarted(why),
      shown: { from: shownFrom(injectedAt), to: null },
    }),
    async executed(range) {
      const captured = await output.finish(range)
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
        exitCode: isSilent && shell.tellsStart() ? 0 : codeOf(track()),
        signal: null,
        output: incomplete ? withNote(found.output, incompleteNote) : found.output,
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
        output: await output.finish(range),
      }
    },
  }
}
