import type { Snapshot } from '../emulator/screen/screen.ts'
import type { Piece } from './byte-stream.ts'

/** Takes one viewer's bytes. It must not block and need not be reliable. */
export interface ViewerSink {
  bytes(offset: number, bytes: Uint8Array): void
  screen(snapshot: Snapshot): void
}

/** Live, skipped until it has caught up, or being brought to the present with the rest held. */
type Phase =
  | { at: 'live' }
  | { at: 'behind' }
  | { at: 'joining'; held: readonly Piece[]; heldBytes: number }

/** One viewer, and how far it is: what it was sent, and what it says that it has drawn. */
export interface Viewer {
  sink: ViewerSink
  phase: Phase
  sent: number
  acked: number
  /** The end of what it was given outside of its window. */
  granted: number
}

/** Unacknowledged bytes: more than a healthy viewer ever has, less than a browser chokes on. */
export const windowBytes = 1024 * 1024
/** A viewer that was skipped has drawn nearly all it was sent before it is sent more. */
export const caughtUpBytes = 64 * 1024
const messageBytes = 64 * 1024

export const live: Phase = { at: 'live' }
export const behind: Phase = { at: 'behind' }
export const joining: Phase = { at: 'joining', held: [], heldBytes: 0 }

export function newViewer(sink: ViewerSink, from: number | null): Viewer {
  return { sink, phase: joining, sent: 0, acked: from ?? 0, granted: 0 }
}

/** Sends what the viewer does not have yet of a piece. */
export function give(viewer: Viewer, { offset, bytes }: Piece): void {
  const fresh = bytes.subarray(Math.max(0, viewer.sent - offset))
  for (let at = 0; at < fresh.length; at += messageBytes) {
    const part = fresh.subarray(at, at + messageBytes)
    viewer.sink.bytes(viewer.sent, part)
    viewer.sent += part.length
  }
}

/** A piece of the stream while the viewer joins; beyond a window full only its length is kept. */
export function hold(phase: Extract<Phase, { at: 'joining' }>, piece: Piece): Phase {
  const heldBytes = phase.heldBytes + piece.bytes.length
  const held = heldBytes <= windowBytes ? [...phase.held, piece] : phase.held
  return { at: 'joining', held, heldBytes }
}

/** The viewer has joined: gives what was held meanwhile. False when too much came, or with a hole. */
export function goLive(viewer: Viewer): boolean {
  const { phase } = viewer
  const { held, heldBytes } = phase.at === 'joining' ? phase : { held: [], heldBytes: 0 }
  const [first] = held
  const isWhole = heldBytes <= windowBytes && (first === undefined || first.offset <= viewer.sent)
  // A viewer that is behind asks for the next screen with its next word.
  viewer.phase = isWhole ? live : behind
  if (isWhole) for (const piece of held) give(viewer, piece)
  return isWhole
}

export interface Start {
  /** The offset where it stopped; null if that is of no use. */
  from: number | null
  /** The most bytes between that and the stream's end. */
  nearBytes: number
}

/** The bytes that bring the viewer nearer to the stream's end, unless it stopped too far from it. */
export function nearRange(
  { acked }: Viewer,
  { from, nearBytes }: Start,
  head: number,
): { from: number; to: number } | null {
  if (from === null || from > head || head - from > nearBytes) return null
  // Always some, or it would never say more.
  const room = Math.max(caughtUpBytes, windowBytes - Math.max(0, from - acked))
  return { from, to: Math.min(head, from + room) }
}

/** Bytes are sent on before the last are drawn; a screen only when it is the next thing to draw. */
export function maySendMore({ sent, acked }: Viewer, isNear: () => boolean): boolean {
  const undrawn = sent - acked
  return undrawn < caughtUpBytes || (undrawn < windowBytes / 2 && isNear())
}
