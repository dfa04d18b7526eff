/** What is said to a person who waits: longer than this, and they take it for dead. */
const patienceMs = 6_000

/** Whether there is an answer, be it a no, before a person gives up. */
export function answered(answer: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs, false)
    const settle = () => {
      clearTimeout(timer)
      resolve(true)
    }
    answer.then(settle, settle)
  })
}
