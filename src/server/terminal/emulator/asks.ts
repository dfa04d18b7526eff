interface Waiting<T> {
  resolve: (value: T) => void
  reject: (error: Error) => void
}

/** Questions to the worker that have no reply yet. Every one is settled: by a reply or by its end. */
export interface Asks<T> {
  ask(id: number): Promise<T>
  reply(id: number, value: T): void
  fail(id: number, error: Error): void
  failAll(error: Error): void
}

export function createAsks<T>(): Asks<T> {
  const waiting = new Map<number, Waiting<T>>()

  function take(id: number): Waiting<T> | undefined {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }

  return {
    ask: (id) =>
      new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
      }),
    reply: (id, value) => take(id)?.resolve(value),
    fail: (id, error) => take(id)?.reject(error),
    failAll(error) {
      for (const id of waiting.keys()) take(id)?.reject(error)
    },
  }
}
