/** Those of the names that somebody may have meant, the likeliest first. */
export function nearest(typed: string, names: readonly string[], most = 3): readonly string[] {
  const wanted = typed.toLowerCase().slice(0, longest)
  return [...new Set(names)]
    .map((name) => ({ name, off: difference(wanted, name.toLowerCase()) }))
    .filter(({ name, off }) => off <= Math.ceil(name.length / 3))
    .sort((a, b) => a.off - b.off || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ name }) => name)
}

/** No name that one could mean is longer. */
const longest = 100

/** The number of letters that were added, left out or changed; a beginning counts as nearly right. */
function difference(typed: string, name: string): number {
  if (typed.length >= 2 && name.startsWith(typed)) return 0.5
  let row = Array.from({ length: name.length + 1 }, (_, index) => index)
  for (const [done, letter] of typed.split('').entries()) {
    const next = [done + 1]
    for (const [at, other] of name.split('').entries()) {
      const changed = cell(row, at) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, cell(row, at + 1) + 1, cell(next, at) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function cell(row: readonly number[], at: number): number {
  return row[at] ?? Number.POSITIVE_INFINITY
}
