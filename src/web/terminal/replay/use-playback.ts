import { useEffect, useState } from 'react'
import type { Cast } from './cast.ts'

export const speeds = [0.5, 1, 2, 4, 8] as const

export interface Playback {
  /** A place of the recording. */
  at: number
  isPlaying: boolean
  speed: number
  seek(at: number): void
  toggle(): void
  setSpeed(speed: number): void
}

export function usePlayback(cast: Cast): Playback {
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
    at,
    isPlaying,
    speed,
    seek: (next) => setAt(Math.min(Math.max(next, 0), cast.lengthMs)),
    toggle() {
      if (!isPlaying && isOver) setAt(0)
      setPlaying(!isPlaying)
    },
    setSpeed,
  }
}
