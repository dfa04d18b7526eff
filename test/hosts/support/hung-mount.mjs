// For a server on whose machine a file system hangs: every look at a path with this name opens a pipe that nobody
// writes to, in the same thread in which the look would hang.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { name, pipe } = Object.fromEntries(new URL(import.meta.url).searchParams)
const isHung = (path) => typeof path === 'string' && path.includes(name)

for (const call of ['stat', 'lstat', 'realpath', 'readdir', 'open', 'readFile', 'access']) {
  const real = fs.promises[call]
  const open = fs.promises.open
  fs.promises[call] = (path, ...rest) => (isHung(path) ? open(pipe, 'r') : real(path, ...rest))
}
const { openSync } = fs
for (const call of ['statSync', 'lstatSync', 'realpathSync', 'accessSync', 'readdirSync']) {
  const real = fs[call]
  fs[call] = (path, ...rest) => (isHung(path) ? openSync(pipe, 'r') : real(path, ...rest))
}
syncBuiltinESMExports()
