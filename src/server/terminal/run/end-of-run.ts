import { assertNever } from '../../../base/assert-never.ts'
import { isComment } from '../../../base/text.ts'
import type { Kept } from '../../../protocol/holder/holder.ts'
import type { Run, Verdict } from '../../../terminal/shell/run.ts'
import { codeOf, startTrack, type Track } from '../../../terminal/shell/track.ts'
import { logEnd, missingBytes, type Range } from '../byte-log/read-byte-log.ts'
import { enteredRange, incompleteNote, lostEnd, notStarted, readUnexecuted } from './unexecuted.ts'
import type { RunOutput } from './output.ts'
import { hasJobs } from '../shell/processes.ts'
import type { Captured, TerminalRunEnd } from '../terminal.ts'
import { withNote } from './draw-output.ts'

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

/** The remains of a line that nobody accepted; one that the shell refuses has a message. */
const silence = /^(\^C|\s)*$/
const notBegun = 'The command was not run: the shell did not begin with it.'
const stopNotes: Readonly<Record<NonNullable<Run['stopped']>, string | null>> = {
  int: null,
  term: 'Ctrl+C had no effect; TERM was sent.',
  kill: 'Ctrl+C and TERM had no effect; KILL was sent.',
}

/** An ended run, the marks about it, and what is there to find out more. */
interface Ending {
  run: Run
  track: Track
  deps: EndOfRunDeps
}

/** Says how a run ended: what is known of it, and where it stands in the byte log. */
export async function endOfRun(
  { run, track: followed, verdict }: EndedRun,
  deps: EndOfRunDeps,
): Promise<TerminalRunEnd> {
  const ending = { run, track: followed ?? startTrack(run.order.id, deps.shell.pid), deps }
  switch (verdict.type) {
    case 'unstarted': {
      const unstarted = {
        ...notStarted(verdict.why),
        // It is judged anew there.
        ...(verdict.isMoved && { moved: true as const, cwdAfter: deps.shell.cwd() }),
      }
      // A command that never went in is shown nowhere.
      return followed === null
        ? unstarted
        : { ...unstarted, shown: { from: shownFrom(ending, run.enteredAt), to: null } }
    }
    case 'executed':
      return executed(ending, verdict)
    case 'unexecuted':
      return unexecuted(ending)
    case 'with-shell':
      return withShell(ending, verdict)
    case 'lost':
      return lost(ending, verdict.why)
    default:
      return assertNever(verdict)
  }
}

async function executed(ending: Ending, range: Range): Promise<TerminalRunEnd> {
  const { track, deps } = ending
  const captured = noted(ending, await deps.output.finish(range))
  return {
    ...(await trace(ending, range)),
    outcome: 'ended',
    exitCode: codeOf(track),
    signal: null,
    output: track.incomplete ? withNote(captured, incompleteNote) : captured,
  }
}

/** Nothing was executed: an empty line, a comment, a syntax error or an unfinished line. */
async function unexecuted(ending: Ending): Promise<TerminalRunEnd> {
  const { run, track, deps } = ending
  const { shell, folder } = deps
  await deps.sync()
  const found = await readUnexecuted(folder, enteredRange(track, deps.head()))
  const isSilent = !track.incomplete && silence.test(found.output.head)
  const hadNothing = isSilent && isComment(run.order.command)
  if (isSilent && !hadNothing && shell.saysStart())
    return { ...notStarted(notBegun), shown: { from: shownFrom(ending, run.enteredAt), to: null } }
  const output = track.incomplete ? withNote(found.output, incompleteNote) : found.output
  return {
    ...(await trace(ending, found.range)),
    outcome: 'ended',
    exitCode: hadNothing && shell.tellsStart() ? 0 : codeOf(track),
    signal: null,
    output: noted(ending, output),
  }
}

async function withShell(
  ending: Ending,
  { from, exit }: Verdict & { type: 'with-shell' },
): Promise<TerminalRunEnd> {
  const { track, deps } = ending
  const end = track.adoptedAt ?? track.to?.offset ?? deps.head()
  const range = { from, to: Math.max(from, end) }
  return {
    ...(await trace(ending, range, exit.time)),
    outcome: 'shell_exited',
    exitCode: exit.code,
    signal: exit.signal,
    cwdAfter: null,
    output: noted(ending, await deps.output.finish(range)),
  }
}

/** The holder is gone: nobody knows how it ended, but what it had printed by then is there. */
async function lost(ending: Ending, why: string): Promise<TerminalRunEnd> {
  const { deps } = ending
  const { from, to, adoptedAt } = ending.track
  if (from === null) return lostEnd(why)
  // The log may have more than was heard, and the last that was heard may not be in it yet.
  const end = adoptedAt ?? to?.offset ?? Math.max(deps.head(), await logEnd(deps.folder))
  const range = { from: from.offset, to: Math.max(from.offset, end) }
  return {
    ...(await trace(ending, range)),
    outcome: 'lost',
    exitCode: null,
    signal: null,
    omitted: await missingBytes(deps.folder, range),
    cwdAfter: null,
    output: noted(ending, await deps.output.finish(range)),
  }
}

async function trace(ending: Ending, range: Range, endTime = ending.track.to?.time) {
  const { track, deps } = ending
  const startTime = track.from?.time ?? track.loaded?.time
  const isKnown = startTime !== undefined && endTime !== undefined
  return {
    durationMs: isKnown ? Math.max(0, Math.round(endTime - startTime)) : 0,
    bytes: range.to - range.from,
    omitted: await omittedIn(range, deps),
    cwdAfter: track.cwd ?? deps.shell.cwd(),
    ptyFrom: range.from,
    ptyTo: range.to,
    shown: shownIn(ending, range),
  }
}

/** Bytes of a range that are not kept. The files say it; they are asked only where something can be missing. */
export async function omittedIn(
  range: Range,
  { folder, kept, sync }: Pick<EndOfRunDeps, 'folder' | 'kept' | 'sync'>,
): Promise<number> {
  if (range.from >= (kept().missingBefore ?? Number.POSITIVE_INFINITY)) return 0
  await sync()
  return missingBytes(folder, range)
}

/** The stretch that shows it: from the prompt with its command to the next prompt, and its jobs' output. */
function shownIn(ending: Ending, { from, to }: Range): NonNullable<TerminalRunEnd['shown']> {
  const { run, track, deps } = ending
  const { shell } = deps
  // A command that was not executed may stand in the line until the shell has taken it out.
  const isKept = track.from === null && track.restores
  const isOpen = isKept || (run.order.isPrivate && shell.isSeen && hasJobs(shell.pid))
  return { from: shownFrom(ending, from), to: isOpen ? null : Math.max(to, track.promptAt) }
}

function shownFrom({ run, track }: Ending, from: number): number {
  return Math.min(from, run.enteredAt, track.loaded?.offset ?? from)
}

function noted({ run, deps }: Ending, captured: Captured): Captured {
  const step = run.stopped === null ? null : stopNotes[run.stopped]
  return [...deps.notes, ...(step === null ? [] : [step])].reduce(withNote, captured)
}
