// `npm run rooms`: every folder of `src/` with its files, lines and imports in and out, and what is
// larger than a room, file or function should be. `--json` prints the same as data.
import { basename, dirname } from 'node:path'
import { readSources } from './sources/read-sources.mjs'

/** As many as one takes in at a glance; execa never has more than 14. */
const maxFiles = 15
const maxLines = 250
const maxFunctionLines = 80
const sources = readSources()
const roomOf = new Map(sources.map(({ file, room }) => [file, room]))
const projectOf = (file) => file.split('/').slice(0, 2).join('/')

const rooms = [...new Set(sources.map(({ room }) => room))].sort().map((room) => {
  const own = sources.filter((source) => source.room === room)
  const out = new Set(own.flatMap(({ imports }) => imports).filter((to) => roomOf.get(to) !== room))
  const users = sources.filter(
    (source) => source.room !== room && source.imports.some((to) => roomOf.get(to) === room),
  )
  return {
    room,
    files: own.length,
    lines: own.reduce((sum, { lines }) => sum + lines, 0),
    importsIn: users.length,
    importsOut: out.size,
  }
})

/** One a provider, one a shell: the same name in sibling rooms says that the files are parallel. */
function repeatedNames() {
  const byName = new Map()
  for (const source of sources) {
    const name = `${projectOf(source.file)} ${basename(source.file)}`
    byName.set(name, [...(byName.get(name) ?? []), source])
  }
  return [...byName.values()]
    .filter((same) => new Set(same.map(({ room }) => dirname(room))).size > 1)
    .map((same) => same.map(({ file }) => file).join(', '))
}

const faults = {
  'rooms with more than 15 files': rooms
    .filter(({ files }) => files > maxFiles)
    .map(({ room, files }) => `${room}: ${files}`),
  'files over 250 lines': sources
    .filter(({ lines }) => lines > maxLines)
    .map(({ file, lines }) => `${file}: ${lines}`),
  'functions over 80 lines': sources.flatMap(({ file, functions }) =>
    functions
      .filter(({ lines }) => lines > maxFunctionLines)
      .map(({ name, line, lines }) => `${file}:${line} ${name}: ${lines}`),
  ),
  'the same name twice in a project': repeatedNames(),
}
const totals = {
  rooms: rooms.length,
  files: sources.length,
  lines: sources.reduce((sum, { lines }) => sum + lines, 0),
}

function print() {
  const width = Math.max(...rooms.map(({ room }) => room.length))
  const cell = (value) => String(value).padStart(7)
  console.log(`${'room'.padEnd(width)}${['files', 'lines', 'in', 'out'].map(cell).join('')}`)
  for (const { room, files, lines, importsIn, importsOut } of rooms)
    console.log(`${room.padEnd(width)}${[files, lines, importsIn, importsOut].map(cell).join('')}`)
  console.log(`\n${totals.rooms} rooms, ${totals.files} files, ${totals.lines} lines`)
  for (const [title, rows] of Object.entries(faults)) {
    console.log(`\n${title}: ${rows.length || 'none'}`)
    for (const row of rows) console.log(`  ${row}`)
  }
}

if (process.argv.includes('--json')) console.log(JSON.stringify({ totals, rooms, faults }))
else print()
