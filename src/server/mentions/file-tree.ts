interface Folder {
  folders: Map<string, Folder>
  files: string[]
  /** With all that is below. */
  count: number
}

const newFolder = (): Folder => ({ folders: new Map(), files: [], count: 0 })

/**
 * The indented tree of a list of paths, folders first, by name. With room for `limit` entries the upper levels
 * go first; a folder that is not shown whole says how many files are in it.
 */
export function fileTree(paths: readonly string[], limit: number) {
  const root = newFolder()
  let folders = 0
  for (const path of paths.toSorted(inOrder)) {
    const names = path.split('/')
    const file = names.pop() ?? ''
    let at = root
    at.count++
    for (const name of names) {
      const next = at.folders.get(name) ?? newFolder()
      if (next.count === 0) folders++
      at.folders.set(name, next)
      at = next
      at.count++
    }
    at.files.push(file)
  }
  return { folders, text: draw(root, shownFolders(root, limit)).join('\n') }
}

/** How many entries of each folder are shown, level by level until the room is used up; small ones first. */
function shownFolders(root: Folder, limit: number): ReadonlyMap<Folder, number> {
  const shown = new Map<Folder, number>()
  let room = limit
  let level = [root]
  while (level.length > 0 && room > 0) {
    for (const folder of level.toSorted((a, b) => entriesOf(a) - entriesOf(b))) {
      const entries = Math.min(room, entriesOf(folder))
      shown.set(folder, entries)
      room -= entries
    }
    level = level.flatMap((folder) => [...folder.folders.values()])
  }
  return shown
}

function entriesOf({ folders, files }: Folder): number {
  return folders.size + files.length
}

function draw(folder: Folder, shown: ReadonlyMap<Folder, number>): readonly string[] {
  const room = shown.get(folder) ?? 0
  const below = [...folder.folders].sort(([a], [b]) => inOrder(a, b)).slice(0, room)
  const files = folder.files.toSorted(inOrder).slice(0, room - below.length)
  const told = below.reduce((count, [, one]) => count + one.count, files.length)
  const lines = below.flatMap(([name, one]) => {
    const inside = draw(one, shown)
    const head = `${plain(name)}/${(shown.get(one) ?? 0) === 0 ? ` (${filesIn(one.count)})` : ''}`
    return [head, ...inside.map((line) => `  ${line}`)]
  })
  const left = folder.count - told
  const rest = left > 0 && room > 0 ? [`[… ${filesIn(left)} more …]`] : []
  return [...lines, ...files.map(plain), ...rest]
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A name may hold anything; a line break in it would make two entries of one. */
function plain(name: string): string {
  return /[\x00-\x1f\x7f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name
}

export function filesIn(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`
}
