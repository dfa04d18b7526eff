/** Does the work for each, so many at once. */
export async function inGroups<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const left = all.values()
  const workers = Array.from({ length: atOnce }, async () => {
    for (const one of left) await work(one)
  })
  await Promise.all(workers)
}
