import { expect, test, vi } from 'vitest'
import { everyFrame } from './frame-rate.ts'

test('[CLIENT34] changes are shown once a picture, and soon when no picture is drawn', () => {
  vi.useFakeTimers()
  try {
    const pictures: (() => void)[] = []
    const shown = vi.fn()
    const rate = everyFrame((show) => {
      pictures.push(show)
      return () => void pictures.splice(pictures.indexOf(show), 1)
    }, shown)
    rate.due()
    rate.due()
    pictures[0]?.()
    expect(shown).toHaveBeenCalledTimes(1)
    // The tab is hidden before its next picture.
    rate.due()
    vi.advanceTimersByTime(1_000)
    expect([shown.mock.calls.length, pictures.length]).toEqual([2, 0])
    rate.due()
    rate.cancel()
    vi.advanceTimersByTime(1_000)
    expect([shown.mock.calls.length, pictures.length]).toEqual([2, 0])
  } finally {
    vi.useRealTimers()
  }
})
