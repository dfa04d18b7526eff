/** False when the time is up first. */
export function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, false)
    work.then(() => resolve(true), reject).finally(() => clearTimeout(timer))
  })
}
