export type OpenStreams = ReturnType<typeof createOpenStreams>

/** The connections that stay open, so that a shutdown or a new token can end them all. */
export function createOpenStreams() {
  const open = new Set<() => void>()
  return {
    /** Says how to end it; the returned function says that it has ended. */
    add(end: () => void): () => void {
      // Its own object, so that one function given twice counts twice.
      const entry = () => end()
      open.add(entry)
      return () => void open.delete(entry)
    },
    endAll(): void {
      for (const end of open) end()
    },
  }
}
