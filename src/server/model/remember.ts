/**
 * Makes something once for each key, and remembers it unless that failed: what failed once, for want of memory or a
 * file, may work the next time.
 */
export function rememberUnlessFailed<T>(): (key: string, make: () => Promise<T>) => Promise<T> {
  const made = new Map<string, Promise<T>>()
  return async (key, make) => {
    const one = made.get(key) ?? make()
    made.set(key, one)
    try {
      return await one
    } catch (error) {
      if (made.get(key) === one) made.delete(key)
      throw error
    }
  }
}
