import { assertNever } from '../../protocol/assert-never.ts'
import type { Mark, Place } from './read-mark.ts'

/** What the marks so far say about one run. */
export interface RunTrack {
  readonly id: string
  readonly shellPid: number
  /** It is one line, and the end of that is its end: what draws the prompt may take its time. */
  readonly isOneLine: boolean
  /** The command is in the line editor. */
  readonly loaded: (Place & { level: number }) | null
  /** The line editor drew its line anew, as it does after loading; if not, its prompts go elsewhere. */
  readonly drawn: boolean
  /** Its output starts here; null while, or when, nothing was executed. */
  readonly from: Place | null
  /** Its output ended here. */
  readonly to: Place | null
  readonly code: number | null
  readonly cwd: string | null
  readonly incomplete: boolean
  /** A prompt was drawn though no end was marked: likely over, but only the kernel knows. */
  readonly prompted: { at: Place; code: number | null } | null
  readonly finished: boolean
  /** Where a shell that runs in it was first adopted: what is printed from there on is not its own. */
  readonly adoptedAt: number | null
  /** That shell is still there. */
  readonly isAround: boolean
}

export function startTrack(run: Pick<RunTrack, 'id' | 'shellPid' | 'isOneLine'>): RunTrack {
  return {
    ...run,
    loaded: null,
    drawn: false,
    from: null,
    to: null,
    code: null,
    cwd: null,
    incomplete: false,
    prompted: null,
    finished: false,
    adoptedAt: null,
    isAround: false,
  }
}

/** Loaded, output starts and ends, once a line: the end of a single line or the prompt after several is the end. */
export function trackRun(track: RunTrack, mark: Mark): RunTrack {
  if (mark.kind === 'loaded' && mark.id === track.id) {
    // A half-typed line comes back with the prompt: until then somebody who goes on typing would be first.
    return { ...track, loaded: mark, isOneLine: track.isOneLine && !mark.restores }
  }
  if (track.loaded === null || track.finished) return track
  if (mark.kind === 'left') return { ...track, isAround: false }
  switch (mark.kind) {
    case 'loaded':
      return track
    case 'integrated':
      return adopted(track, mark)
    case 'output-start':
      return { ...track, from: track.from ?? mark, to: null, prompted: null }
    case 'output-end':
      return endOutput(track, mark)
    case 'continuation':
      return { ...track, incomplete: true }
    case 'prompt-start':
      return startPrompt(track, mark)
    case 'prompt':
      return mark.pid === track.shellPid ? seePrompt(track, mark) : track
    default:
      return assertNever(mark)
  }
}

/** A shell that runs in it speaks now; or its own does anew, and then there is nothing inside. */
function adopted(track: RunTrack, mark: Mark & { kind: 'integrated' }): RunTrack {
  if (mark.level <= (track.loaded?.level ?? 0) || track.from === null) return track
  return { ...track, adoptedAt: track.adoptedAt ?? mark.offset, isAround: true }
}

/** Nobody is there to complete the line, and it must not take the next command for its rest. */
export function mustBreakOff(before: RunTrack, mark: Mark): boolean {
  if (before.incomplete || before.finished || before.loaded === null) return false
  return mark.kind === 'continuation' && !mark.closed
}

/** The first one after loading belongs to the line with our command in it. */
function startPrompt(track: RunTrack, mark: Mark): RunTrack {
  if (track.from === null && !track.drawn) return { ...track, drawn: true }
  // Drawn anew, it is still the same prompt.
  if (track.to !== null || track.prompted !== null) return track
  return { ...track, prompted: { at: mark, code: null } }
}

function endOutput(track: RunTrack, mark: Mark & { kind: 'output-end' }): RunTrack {
  if (mark.pid !== track.shellPid || mark.id !== track.id) return track
  // With stderr redirected the start mark is lost with the prompt: then all since loading is output.
  if (!track.drawn && track.from === null) return endOutput({ ...track, from: track.loaded }, mark)
  // After the last line that ran, one that is a comment changes nothing, a syntax error does.
  const again = track.from !== null && track.to !== null && mark.code === track.code
  const end = again ? {} : { to: mark, code: mark.code }
  const finished = track.isOneLine && track.from !== null && !track.incomplete
  return { ...track, ...end, cwd: mark.cwd ?? track.cwd, prompted: null, finished }
}

function seePrompt(track: RunTrack, mark: Mark & { kind: 'prompt' }): RunTrack {
  // Of a prompt with several lines only the last is drawn anew.
  if (!track.drawn && track.from === null && track.to === null) return { ...track, drawn: true }
  if (track.to !== null) return { ...track, finished: true }
  if (track.prompted === null) return track
  return { ...track, prompted: { ...track.prompted, code: mark.code } }
}

/** From the end mark, or, where that was lost, from the prompt. */
export function codeOf(track: RunTrack): number | null {
  return track.code ?? track.prompted?.code ?? null
}
