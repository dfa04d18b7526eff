/** The same work, never twice at once: whoever asks while it is under way shares the next time. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null

  function begin(): Promise<void> {
    current = work().finally(() => {
      current = null
    })
    return current
  }

  return () => {
    if (current === null) return begin()
    const again = () => {
      next = null
      return begin()
    }
    next ??= current.then(again, again)
    return next
  }
}
