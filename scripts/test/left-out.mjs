/** One line: how many files did not run, which, for want of what, and the command that runs them, too. */
export function leftOutLine(left, { script, install }) {
  const needs = [...new Set(left.flatMap((each) => each.needs))]
  const programs = needs.filter((each) => each !== 'root')
  const again = needs.includes('root') ? asRoot(script) : `npm ${script}`
  const way = programs.length > 0 ? install(programs) : ''
  return `Left out: ${left.length} files, which need ${needs.map(wordFor).join(', ')} (${foldersOf(left)}). To run them: ${way}${again}`
}

function wordFor(need) {
  return need === 'root' ? 'root that may mount' : need
}

function asRoot(script) {
  const isRoot = process.getuid?.() === 0
  return isRoot
    ? `npm ${script} (in a container that was started with --cap-add=SYS_ADMIN)`
    : `sudo npm ${script}`
}

/** `test/web: access, runs; test/cli: serve`. */
function foldersOf(left) {
  const folderOf = ({ file }) => file.slice(0, file.lastIndexOf('/'))
  const namesIn = (folder) => left.filter((each) => folderOf(each) === folder).map(nameOf)
  return [...new Set(left.map(folderOf))]
    .map((folder) => `${folder}: ${namesIn(folder).join(', ')}`)
    .join('; ')
}

function nameOf({ file }) {
  return file.slice(file.lastIndexOf('/') + 1).replace(/(\.rest)?\.test\.ts$/, '')
}
