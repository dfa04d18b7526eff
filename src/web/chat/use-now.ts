import { useEffect, useState } from 'react'

/** The time, as long as somebody watches it pass. */
export function useNow(isRunning: boolean, everyMs = 1_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [isRunning, everyMs])
  return now
}
