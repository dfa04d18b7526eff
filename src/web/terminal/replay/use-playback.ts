import { useEffect, useState } from 'react'
import type { Cast } from './cast.ts'

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
