// For a server that tells which files it opens, or looks into as folders: one path a line, in the file of the query.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { into } = Object.fromEntries(new URL(import.meta.url).searchParams)
const { appendFileSync } = fs

function note(path) {
  if (typeof path === 'string' || path instanceof URL)
    appendFileSync(into, `${JSON.stringify(path instanceof URL ? path.pathname : path)}\n`)
}

function watch(owner, call) {
  const real = owner[call]
  owner[call] = (path, ...rest) => {
    note(path)
    return real.call(owner, path, ...rest)
  }
}

for (const call of ['open', 'readFile', 'writeFile', 'appendFile']) watch(fs.promises, call)
for (const call of ['openSync', 'readFileSync', 'open', 'readFile', 'createReadStream'])
  watch(fs, call)
syncBuiltinESMExports()
