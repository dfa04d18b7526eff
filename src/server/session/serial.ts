/** One task at a time, in the order they came: a session has one writer. */
interface Serial {
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

/** One task at a time for each key: those of different ones do not wait for each other. */
export function createKeyedSerial() {
  const queues = new Map<string, { serial: Serial; count: number }>()
  return {
    async run<T>(key: string, task: () => Promise<T>): Promise<T> {
      const queue = queues.get(key) ?? { serial: createSerial(), count: 0 }
      queues.set(key, queue)
      queue.count += 1
      try {
        return await queue.serial.run(task)
      } finally {
        queue.count -= 1
        if (queue.count === 0) queues.delete(key)
      }
    },
    /** Resolves when everything enqueued so far is done. */
    async idle(): Promise<void> {
      await Promise.all([...queues.values()].map(({ serial }) => serial.idle()))
    },
  }
}
