export interface OpenStreams {
  /** Says how to end it; the returned function says that it has ended. */
  add(end: () => void): () => void
  endAll(): void
}

/** The connections that stay open, so that a shutdown or a new token can end them all. */
export function createOpenStreams(): OpenStreams {
  const open = new Set<() => void>()
  return {
    add(end) {
      // Its own object, so that one function given twice counts twice.
      const entry = () => end()
      open.add(entry)
      return () => void open.delete(entry)
    },
    endAll() {
      for (const end of open) end()
    },
  }
}
