interface Waiting<T> {
  resolve: (value: T) => void
  reject: (error: Error) => void
}

export type PendingReplies<T> = ReturnType<typeof createPendingReplies<T>>

/** Requests to the worker that have no reply yet. Every one is settled: by its reply or by the worker's end. */
export function createPendingReplies<T>() {
  const waiting = new Map<number, Waiting<T>>()

  function take(id: number): Waiting<T> | undefined {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }

  return {
    wait: (id: number) =>
      new Promise<T>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
      }),
    reply: (id: number, value: T) => take(id)?.resolve(value),
    fail: (id: number, error: Error) => take(id)?.reject(error),
    failAll(error: Error): void {
      for (const id of waiting.keys()) take(id)?.reject(error)
    },
  }
}
