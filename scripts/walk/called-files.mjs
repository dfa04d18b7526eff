// Coverage of a bundle → the files whose functions were called.
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A function for the coverage of one thread; it tells files relative to the root. */
export function createFileFinder({ root, folder }) {
  const finders = new Map()

  function finderOf(path) {
    const known = finders.get(path)
    if (known !== undefined) return known
    const finder = path.startsWith(folder) ? inBundle(path, root) : inPackage(path, root)
    finders.set(path, finder)
    return finder
  }

  return (scripts) => {
    const files = new Set()
    for (const { url, functions } of scripts) {
      if (!url.startsWith('file:')) continue
      const fileAt = finderOf(fileURLToPath(url))
      for (const { ranges } of functions) {
        const [{ startOffset }] = ranges
        // A module's top level is no function of it. A part of a function that is gone on with after
        // it was awaited for counts, though the function was called before.
        const isCalled = startOffset > 0 && ranges.some(({ count }) => count > 0)
        const file = isCalled ? fileAt(startOffset) : null
        if (file !== null) files.add(file)
      }
    }
    return files
  }
}

/** What is loaded beside the bundle: a native part, or the probe, which is nobody's. */
function inPackage(path, root) {
  const file = path.includes('/node_modules/') ? relative(root, path) : null
  return () => file
}

function inBundle(path, root) {
  // The bundler's own part has no map: nobody wrote it.
  if (!existsSync(`${path}.map`)) return () => null
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  const text = readFileSync(path, 'utf8')
  const known = new Map()
  const find = (offset) => {
    const lineStart = text.lastIndexOf('\n', offset - 1) + 1
    const line = text.slice(0, lineStart).split('\n').length - 1
    const { originalSource } = map.findEntry(line, offset - lineStart)
    if (originalSource === undefined) return null
    return relative(root, join(dirname(path), originalSource))
  }
  return (offset) => {
    if (!known.has(offset)) known.set(offset, find(offset))
    return known.get(offset)
  }
}
