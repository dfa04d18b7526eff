/** The most letters a repo’s name has. */
const most = 64

/** A folder’s name as a repo’s: what cannot stand in one becomes a hyphen; numbered where taken. */
export function freeName(folder: string, taken: ReadonlySet<string>): string {
  const valid = folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  const name = valid.slice(0, most).replace(/-+$/, '') || 'repo'
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? '' : `-${count}`
    const numbered = name.slice(0, most - ending.length) + ending
    if (!taken.has(numbered)) return numbered
  }
}
