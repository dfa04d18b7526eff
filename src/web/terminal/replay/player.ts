import type { Cast, Size } from './cast.ts'
import { useEffect, useState } from 'react'

/** The screen that a recording is drawn on. */
export interface Canvas {
  clear(size: Size): void
  write(text: string): void
  resize(size: Size): void
}

/**
 * A jump draws at most so many characters that came before it: many screens, and no more than a
 * browser draws at once.
 */
const jumpChars = 512 * 1024

/** Draws the recording as it was at a time; a step on draws only what is new. */
export function createPlayer(cast: Cast, canvas: Canvas): (ms: number) => void {
  /** So many pieces are drawn; null before anything is. */
  let drawn: number | null = null

  function draw(from: number, to: number): void {
    for (let index = from; index < to; index += 1) {
      const piece = cast.piece(index)
      if (piece.type === 'size') canvas.resize(piece.size)
      else canvas.write(piece.text)
    }
  }

  /** The first piece of those that are drawn for a jump, and the size at it. */
  function jumpStart(to: number): { from: number; size: Size } {
    let from = to
    for (let chars = 0; from > 0 && chars < jumpChars; from -= 1) {
      const piece = cast.piece(from - 1)
      if (piece.type === 'output') chars += piece.text.length
    }
    for (let index = from - 1; index >= 0 && from - index < 10_000; index -= 1) {
      const piece = cast.piece(index)
      if (piece.type === 'size') return { from, size: piece.size }
    }
    return { from, size: cast.size }
  }

  return (ms) => {
    const to = cast.countAt(ms)
    if (drawn !== null && to >= drawn && to - drawn < 1_000) draw(drawn, to)
    else {
      const { from, size } = jumpStart(to)
      canvas.clear(size)
      draw(from, to)
    }
    drawn = to
  }
}

export const speeds = [0.5, 1, 2, 4, 8] as const

export type Playback = ReturnType<typeof usePlayback>

export function usePlayback(cast: Cast) {
  // At its end, where the session is: nothing goes from the screen until one turns back.
  const [at, setAt] = useState(cast.lengthMs)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<number>(1)

  useEffect(() => {
    if (!isPlaying) return undefined
    let last = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const ms = now - last
      last = now
      setAt((was) => Math.min(was + ms * speed, cast.lengthMs))
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [cast, isPlaying, speed])

  const isOver = at >= cast.lengthMs
  useEffect(() => {
    if (isOver) setPlaying(false)
  }, [isOver])

  return {
    /** A place of the recording. */
    at,
    isPlaying,
    speed,
    seek: (next: number) => setAt(Math.min(Math.max(next, 0), cast.lengthMs)),
    toggle() {
      if (!isPlaying && isOver) setAt(0)
      setPlaying(!isPlaying)
    },
    setSpeed,
  }
}
