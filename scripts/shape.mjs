// What the terminal path is made of: files over 200 lines, how many `let` each has, and functions
// that keep more than 6 mutable variables. Folders may be named instead of the usual ones.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'rolldown/utils'

const root = new URL('..', import.meta.url).pathname
const usual = ['src/terminal', 'src/server/terminal', 'src/holder']
const maxLines = 200
const maxMutable = 6

const isFunction = ({ type }) =>
  type === 'FunctionDeclaration' ||
  type === 'FunctionExpression' ||
  type === 'ArrowFunctionExpression'

function nodesIn(node) {
  return Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string')
}

const isLet = ({ type, kind }) =>
  type === 'VariableDeclaration' && (kind === 'let' || kind === 'var')

/** The head of a loop declares what it counts with; that is nobody's state. */
const isLoopHead = (node, parent) => parent.init === node || parent.left === node

/** Every function of a program, and the module itself, with the names of the variables it lets change. */
function functionsIn(program) {
  const functions = []
  function walk(node, parent, around) {
    const own = isFunction(node) ? { name: nameOf(node, parent), at: node.start, lets: [] } : around
    if (own !== around) functions.push(own)
    if (isLet(node))
      for (const { id } of node.declarations)
        own.lets.push({ name: id.name ?? '{…}', isCounter: isLoopHead(node, parent) })
    for (const child of nodesIn(node)) walk(child, node, own)
  }
  const module = { name: '(module)', at: 0, lets: [] }
  functions.push(module)
  walk(program, {}, module)
  return functions
}

function nameOf({ id }, parent) {
  return id?.name ?? parent.id?.name ?? parent.key?.name ?? '(arrow)'
}

function look(path) {
  const text = readFileSync(path, 'utf8')
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const functions = functionsIn(program)
  const lineAt = (offset) => text.slice(0, offset).split('\n').length
  return {
    file: relative(root, path),
    lines: text.split('\n').length - 1,
    lets: functions.flatMap(({ lets }) => lets),
    crowded: functions
      .map(({ name, at, lets }) => ({
        name,
        line: lineAt(at),
        mutable: lets.filter(({ isCounter }) => !isCounter).map(({ name }) => name),
      }))
      .filter(({ mutable }) => mutable.length > maxMutable),
  }
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function print(title, rows) {
  console.log(`\n${title}: ${rows.length || 'none'}`)
  for (const row of rows) console.log(`  ${row}`)
}

const given = process.argv.slice(2)
const looked = (given.length > 0 ? given : usual)
  .filter((folder) => existsSync(join(root, folder)))
  .map((folder) => ({ folder, files: filesIn(join(root, folder)).map(look) }))
const all = looked.flatMap(({ files }) => files)

print(
  `files over ${maxLines} lines`,
  all.filter(({ lines }) => lines > maxLines).map(({ file, lines }) => `${file}: ${lines}`),
)
print(
  `functions with more than ${maxMutable} mutable variables`,
  all.flatMap(({ file, crowded }) =>
    crowded.map(
      ({ name, line, mutable }) =>
        `${file}:${line} ${name}: ${mutable.length} (${mutable.join(', ')})`,
    ),
  ),
)
print(
  'files with `let` (in the head of a loop)',
  all
    .filter(({ lets }) => lets.length > 0)
    .map(({ file, lets }) => {
      const counters = lets.filter(({ isCounter }) => isCounter).length
      return `${file}: ${lets.length}${counters > 0 ? ` (${counters})` : ''}`
    }),
)
console.log()
for (const { folder, files } of looked) {
  const lets = files.flatMap((file) => file.lets)
  const counters = lets.filter(({ isCounter }) => isCounter).length
  const lines = files.reduce((total, file) => total + file.lines, 0)
  console.log(
    `${folder}: ${files.length} files, ${lines} lines, ${lets.length - counters} \`let\` and ${counters} in heads of loops`,
  )
}
