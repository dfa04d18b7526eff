import { assertNever } from '../../../protocol/assert-never.ts'
import { isComment } from '../../../protocol/is-comment.ts'
import type { Kept } from '../../../protocol/holder.ts'
import type { Run, Verdict } from '../../../terminal/run.ts'
import { codeOf, startTrack, type Track } from '../../../terminal/track.ts'
import { logEnd, missingBytes, type Range } from '../byte-log-reader.ts'
import { incompleteNote, lostEnd, notStarted, readUnexecuted } from '../run-end.ts'
import type { RunOutput } from '../run-output.ts'
import { hasJobs } from '../same-terminal.ts'
import type { Captured, TerminalRunEnd } from '../terminal.ts'
import { withNote } from '../with-note.ts'

/** A run that is over, as the fold says it. */
export interface EndedRun {
  run: Run
  /** Null when its command never went in. */
  track: Track | null
  verdict: Verdict
}

export interface EndOfRunDeps {
  /** The byte log's folder. */
  folder: string
  shell: {
    pid: number
    isSeen: boolean
    cwd(): string | null
    /** It tells when output starts: what it does not tell so did not begin. */
    saysStart(): boolean
    /** It can tell so at all. */
    tellsStart(): boolean
  }
  /** Sentences about what one would not see in the output. */
  notes: readonly string[]
  output: RunOutput
  head(): number
  kept(): Kept
  sync(): Promise<unknown>
}

/** All that is left of a line that nobody accepted; one that the shell refuses has a message. */
const silence = /^(\^C|\s)*$/
const notBegun = 'The command was not run: the shell did not begin with it.'
const stopNotes: Readonly<Record<NonNullable<Run['stopped']>, string | null>> = {
  int: null,
  term: 'Ctrl+C had no effect; TERM was sent.',
  kill: 'Ctrl+C and TERM had no effect; KILL was sent.',
}

/** Says how a run ended: what is known of it, and where it stands in the byte log. */
export async function endOfRun(
  { run, track: followed, verdict }: EndedRun,
  deps: EndOfRunDeps,
): Promise<TerminalRunEnd> {
  const { folder, output, shell } = deps
  const track = followed ?? startTrack(run.order.id, shell.pid)
  const shownFrom = (from: number) => Math.min(from, run.enteredAt, track.loaded?.offset ?? from)

  /** With the command at the prompt before it, what the shell says of it before the next, and what its jobs print. */
  function shownIn({ from, to }: Range): NonNullable<TerminalRunEnd['shown']> {
    // A command that was not executed may stand in the line until the shell has taken it out.
    const isKept = track.from === null && track.restores
    const isOpen = isKept || (run.order.isPrivate && shell.isSeen && hasJobs(shell.pid))
    return { from: shownFrom(from), to: isOpen ? null : Math.max(to, track.promptAt ?? 0) }
  }

  /** The files say it; they are asked only where something can be missing. */
  async function omittedOf(range: Range): Promise<number> {
    if (range.from >= (deps.kept().missingBefore ?? Number.POSITIVE_INFINITY)) return 0
    await deps.sync()
    return missingBytes(folder, range)
  }

  async function ending(range: Range, endTime = track.to?.time) {
    const startTime = track.from?.time ?? track.loaded?.time
    const isKnown = startTime !== undefined && endTime !== undefined
    return {
      durationMs: isKnown ? Math.max(0, Math.round(endTime - startTime)) : 0,
      bytes: range.to - range.from,
      omitted: await omittedOf(range),
      cwdAfter: track.cwd ?? shell.cwd(),
      ptyFrom: range.from,
      ptyTo: range.to,
      shown: shownIn(range),
    }
  }

  async function executed(range: Range): Promise<TerminalRunEnd> {
    const captured = told(await output.finish(range))
    return {
      ...(await ending(range)),
      outcome: 'ended',
      exitCode: codeOf(track),
      signal: null,
      output: track.incomplete ? withNote(captured, incompleteNote) : captured,
    }
  }

  /** From its loading to its end, as far as that is known. */
  function entered(): Range {
    const end = track.to ?? track.prompted?.at
    return { from: track.loaded?.offset ?? 0, to: end?.offset ?? deps.head() }
  }

  /** Nothing was executed: an empty line, a comment, a syntax error or an unfinished line. */
  async function unexecuted(): Promise<TerminalRunEnd> {
    await deps.sync()
    const found = await readUnexecuted(folder, entered())
    const isSilent = !track.incomplete && silence.test(found.output.head)
    const hadNothing = isSilent && isComment(run.order.command)
    if (isSilent && !hadNothing && shell.saysStart())
      return { ...notStarted(notBegun), shown: { from: shownFrom(run.enteredAt), to: null } }
    return {
      ...(await ending(found.range)),
      outcome: 'ended',
      exitCode: hadNothing && shell.tellsStart() ? 0 : codeOf(track),
      signal: null,
      output: told(track.incomplete ? withNote(found.output, incompleteNote) : found.output),
    }
  }

  async function withShell({
    from,
    exit,
  }: Verdict & { type: 'with-shell' }): Promise<TerminalRunEnd> {
    const end = track.adoptedAt ?? track.to?.offset ?? deps.head()
    const range = { from, to: Math.max(from, end) }
    return {
      ...(await ending(range, exit.time)),
      outcome: 'shell_exited',
      exitCode: exit.code,
      signal: exit.signal,
      cwdAfter: null,
      output: told(await output.finish(range)),
    }
  }

  /** The holder is gone: nobody knows how it ended, but what it had printed by then is there. */
  async function lost(why: string): Promise<TerminalRunEnd> {
    const { from, to, adoptedAt } = track
    if (from === null) return lostEnd(why)
    // The log may have more than was heard, and what was heard may not be in it yet.
    const end = adoptedAt ?? to?.offset ?? Math.max(deps.head(), await logEnd(folder))
    const range = { from: from.offset, to: Math.max(from.offset, end) }
    return {
      ...(await ending(range)),
      outcome: 'lost',
      exitCode: null,
      signal: null,
      omitted: await missingBytes(folder, range),
      cwdAfter: null,
      output: told(await output.finish(range)),
    }
  }

  function told(captured: Captured): Captured {
    const step = run.stopped === null ? null : stopNotes[run.stopped]
    return [...deps.notes, ...(step === null ? [] : [step])].reduce(withNote, captured)
  }

  switch (verdict.type) {
    case 'unstarted': {
      const unstarted = {
        ...notStarted(verdict.why),
        // It is judged anew there.
        ...(verdict.isMoved && { moved: true as const, cwdAfter: shell.cwd() }),
      }
      // One that never went in is shown nowhere.
      return followed === null
        ? unstarted
        : { ...unstarted, shown: { from: shownFrom(run.enteredAt), to: null } }
    }
    case 'executed':
      return executed(verdict)
    case 'unexecuted':
      return unexecuted()
    case 'with-shell':
      return withShell(verdict)
    case 'lost':
      return lost(verdict.why)
    default:
      return assertNever(verdict)
  }
}
