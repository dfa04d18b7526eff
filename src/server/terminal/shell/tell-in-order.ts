/** Tells the session what happened, in the order it happened: ends of runs to those who wait, the rest by report. */
export interface InOrder {
  /** A report; resolves when it is on disk. */
  tell(work: () => Promise<void>): void
  /** An answer that somebody waits for; it comes after all that was told before. */
  answer(deliver: Promise<() => void>): void
  /** Resolves when all so far is told. */
  told(): Promise<void>
}

export function createInOrder(diagnose: (error: unknown) => void): InOrder {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  function add(work: Promise<void>): void {
    waiting += 1
    last = work.catch(diagnose).finally(() => {
      waiting -= 1
    })
  }

  async function deliverAfter(before: Promise<void>, deliver: Promise<() => void>): Promise<void> {
    await before
    const give = await deliver
    give()
    // Whoever waited has reported by then what it was given.
    await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    tell: (work) => add(last.then(work)),
    // Most often nothing is on its way, and who waits should not wait for a turn of the loop.
    answer: (deliver) => add(deliverAfter(waiting > 0 ? last : Promise.resolve(), deliver)),
    told: () => last,
  }
}
