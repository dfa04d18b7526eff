/** Pictures of a UI: asks to be called before the next one is drawn; returns what takes that back. */
export type NextPicture = (show: () => void) => () => void

/** A page's own. */
export const nextFrame: NextPicture = (show) => {
  const frame = requestAnimationFrame(show)
  return () => cancelAnimationFrame(frame)
}

/** A UI that is hidden draws no pictures, but what it holds should not grow old either. */
const hiddenMs = 500

/** Shows changes at most once a picture. A picture that never comes, as of a tab that was hidden meanwhile, holds nothing up. */
export function everyFrame(next: NextPicture, show: () => void) {
  let cancel: (() => void) | null = null
  return {
    /** Something has changed: it is shown with the next picture, or soon when none is drawn. */
    due(): void {
      if (cancel !== null) return
      const now = () => {
        cancel?.()
        cancel = null
        show()
      }
      const cancelPicture = next(now)
      const timer = setTimeout(now, hiddenMs)
      cancel = () => {
        cancelPicture()
        clearTimeout(timer)
      }
    },
    cancel(): void {
      cancel?.()
      cancel = null
    },
  }
}
