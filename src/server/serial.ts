/** One task at a time, in the order they came: a session has one writer. */
export interface Serial {
  run<T>(task: () => Promise<T>): Promise<T>
  /** Resolves when everything enqueued so far is done. */
  idle(): Promise<void>
}

export function createSerial(): Serial {
  let tail: Promise<unknown> = Promise.resolve()
  return {
    run(task) {
      const result = tail.then(task)
      tail = result.catch(() => undefined)
      return result
    },
    async idle() {
      await tail
    },
  }
}
