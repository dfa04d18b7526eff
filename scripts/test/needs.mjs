// A test, or a file that it imports, says `// needs: zsh fish`; `root` is somebody who may do anything.
// Nothing else knows what is used where, and what is not named is not found: `only-needed.mjs`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = new URL('../..', import.meta.url).pathname

export function testFiles(projects) {
  const isRest = (name) => name.endsWith('.rest.test.ts')
  return filesBelow('test').filter(
    (file) => file.endsWith('.test.ts') && projects.includes(isRest(file) ? 'rest' : 'system'),
  )
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** The files that need one of these programs, each with those that it needs. */
export function neededBy(files, programs) {
  return files
    .map((file) => ({ file, needs: needsOf(resolve(root, file)) }))
    .map(({ file, needs }) => ({ file, needs: needs.filter((each) => programs.includes(each)) }))
    .filter(({ needs }) => needs.length > 0)
}

export function needsOf(path) {
  return [...new Set(needsBelow(path, new Set()))]
}

function needsBelow(path, seen) {
  if (seen.has(path) || !existsSync(path)) return []
  seen.add(path)
  const text = readFileSync(path, 'utf8')
  const own = [...text.matchAll(/^\/\/ needs: (.+)$/gm)].flatMap(([, names]) => names.split(' '))
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, to]) =>
    resolve(dirname(path), to),
  )
  // What is tested never needs a program by itself; what drives it does.
  const support = imported.filter((to) => to.startsWith(join(root, 'test')))
  return [...own, ...support.flatMap((to) => needsBelow(to, seen))]
}
