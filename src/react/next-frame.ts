/** A hidden page draws no frames, but what it holds should not grow old either. */
const hiddenMs = 500

/** Calls back before the next picture is drawn; returns what takes that back. */
export function nextFrame(show: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(show, hiddenMs)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(show)
  return () => cancelAnimationFrame(frame)
}
