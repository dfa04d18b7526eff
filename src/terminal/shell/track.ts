import { assertNever } from '../../base/assert-never.ts'
import type { Mark, Position } from '../incoming.ts'

/** The marks about one command, from its loading to its end. */
export interface Track {
  readonly id: string
  readonly shellPid: number
  /** The command is in the line editor. */
  readonly loaded: (Position & { level: number }) | null
  /** A half-typed line comes back with the prompt. */
  readonly restores: boolean
  /** The line editor drew its line anew, as it does after loading; if not, its prompts go elsewhere. */
  readonly drawn: boolean
  /** Its output starts here; null while, or when, nothing was executed. */
  readonly from: Position | null
  /** Its output ended here. */
  readonly to: Position | null
  readonly code: number | null
  readonly cwd: string | null
  readonly incomplete: boolean
  /** A prompt was drawn though no end was marked: likely over, but only the kernel knows. */
  readonly prompted: { at: Position; code: number | null } | null
  /** The prompt came back after the end. */
  readonly isBack: boolean
  /** The offset at which a shell inside it was first adopted: output from there on is not its own. */
  readonly adoptedAt: number | null
  /** That shell is still there. */
  readonly isAround: boolean
  /** The last prompt's first byte: what the shell itself says of a command stands before it. */
  readonly promptAt: number
}

export function startTrack(id: string, shellPid: number): Track {
  return {
    id,
    shellPid,
    loaded: null,
    restores: false,
    drawn: false,
    from: null,
    to: null,
    code: null,
    cwd: null,
    incomplete: false,
    prompted: null,
    isBack: false,
    adoptedAt: null,
    isAround: false,
    promptAt: 0,
  }
}

export function trackMark(track: Track, mark: Mark): Track {
  if (mark.kind === 'loaded')
    return mark.id === track.id ? { ...track, loaded: mark, restores: mark.restores } : track
  const noted = mark.kind === 'prompt-start' ? { ...track, promptAt: mark.offset } : track
  if (track.loaded === null || track.isBack) return noted
  switch (mark.kind) {
    case 'left':
      return { ...track, isAround: false }
    case 'integrated':
      return adopted(track, mark)
    case 'output-start':
      return { ...track, from: track.from ?? mark, to: null, prompted: null }
    case 'output-end':
      return endOutput(track, mark)
    case 'continuation':
      return { ...track, incomplete: true }
    case 'prompt-start':
      return startPrompt(noted, mark)
    case 'prompt':
      return mark.pid === track.shellPid ? seePrompt(track, mark) : track
    default:
      return assertNever(mark)
  }
}

/** A shell that runs in it speaks now; or its own does anew, and then there is nothing inside. */
function adopted(track: Track, mark: Mark & { kind: 'integrated' }): Track {
  if (mark.level <= (track.loaded?.level ?? 0) || track.from === null) return track
  return { ...track, adoptedAt: track.adoptedAt ?? mark.offset, isAround: true }
}

/** The first one after loading belongs to the line with our command in it. */
function startPrompt(track: Track, mark: Mark): Track {
  if (track.from === null && !track.drawn) return { ...track, drawn: true }
  // Drawn anew, it is still the same prompt.
  if (track.to !== null || track.prompted !== null) return track
  return { ...track, prompted: { at: mark, code: null } }
}

function endOutput(track: Track, mark: Mark & { kind: 'output-end' }): Track {
  if (mark.pid !== track.shellPid || mark.id !== track.id) return track
  // With stderr redirected the start mark is lost with the prompt: then all since loading is output.
  if (!track.drawn && track.from === null) return endOutput({ ...track, from: track.loaded }, mark)
  // After the last line that ran, one that is a comment changes nothing, a syntax error does.
  const again = track.from !== null && track.to !== null && mark.code === track.code
  const end = again ? {} : { to: mark, code: mark.code }
  return { ...track, ...end, cwd: mark.cwd ?? track.cwd, prompted: null }
}

function seePrompt(track: Track, mark: Mark & { kind: 'prompt' }): Track {
  // Only the last line of a prompt with several is drawn anew.
  if (!track.drawn && track.from === null && track.to === null) return { ...track, drawn: true }
  if (track.to !== null) return { ...track, isBack: true }
  if (track.prompted === null) return track
  return { ...track, prompted: { ...track.prompted, code: mark.code } }
}

/** Nobody is there to complete the line, and it must not take the next command for its rest. */
export function mustBreakOff(before: Track, mark: Mark): boolean {
  if (before.incomplete || before.isBack || before.loaded === null) return false
  return mark.kind === 'continuation' && !mark.closed
}

/**
 * The prompt after the end is the end. A single line is over at its own end: what draws the prompt may take
 * its time. With a half-typed line to put back, somebody who goes on typing must not be first.
 */
export function isFinished(track: Track, isOneLine: boolean): boolean {
  if (track.isBack) return true
  const { from, to, incomplete, restores } = track
  return isOneLine && !restores && !incomplete && from !== null && to !== null
}

/** The exit code that the end mark tells, or, where that was lost, the prompt. */
export function codeOf(track: Track): number | null {
  return track.code ?? track.prompted?.code ?? null
}

/** The marks say that it is over but for one that is missing. */
export function isLikelyOver(track: Track): boolean {
  return track.to !== null || track.prompted !== null
}

/** It prints, and all of that is its own. */
export function isPrinting(track: Track): boolean {
  return track.from !== null && track.to === null && track.adoptedAt === null
}
