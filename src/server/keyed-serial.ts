import { createSerial, type Serial } from './serial.ts'

/** One task at a time for each key: those of different keys do not wait for each other. */
export interface KeyedSerial<Key> {
  run<T>(key: Key, task: () => Promise<T>): Promise<T>
  /** Resolves when everything enqueued so far is done. */
  idle(): Promise<void>
}

export function createKeyedSerial<Key>(): KeyedSerial<Key> {
  const queues = new Map<Key, { serial: Serial; count: number }>()
  return {
    async run(key, task) {
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
    async idle() {
      await Promise.all([...queues.values()].map(({ serial }) => serial.idle()))
    },
  }
}
