// The source files of `src/` as data: lines, imports, functions. Tests and declarations do not count.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

export const root = new URL('../..', import.meta.url).pathname

const isSource = (name) =>
  /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.endsWith('.d.ts')

export function readSources(folder = 'src') {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => readSource(join(entry.parentPath, entry.name)))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

function readSource(path) {
  const text = readFileSync(path, 'utf8')
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const lineAt = (offset) => text.slice(0, offset).split('\n').length
  return {
    file: relative(root, path),
    room: relative(root, dirname(path)),
    lines: text.split('\n').length - 1,
    imports: importsOf(program)
      .filter((source) => source.startsWith('.'))
      .map((source) => relative(root, resolve(dirname(path), source))),
    functions: functionsOf(program).map(({ name, start, end }) => ({
      name,
      line: lineAt(start),
      lines: lineAt(end) - lineAt(start) + 1,
    })),
  }
}

function importsOf(program) {
  const sources = []
  visit(program, (node) => {
    const isImport =
      node.type === 'ImportDeclaration' ||
      node.type === 'ImportExpression' ||
      node.type === 'ExportNamedDeclaration' ||
      node.type === 'ExportAllDeclaration'
    if (isImport && typeof node.source?.value === 'string') sources.push(node.source.value)
  })
  return sources
}

function functionsOf(program) {
  const functions = []
  visit(program, (node, parent) => {
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
      functions.push({
        name: node.id?.name ?? parent?.id?.name ?? parent?.key?.name ?? '(arrow)',
        start: node.start,
        end: node.end,
      })
  })
  return functions
}

function visit(node, see, parent = null) {
  see(node, parent)
  for (const value of Object.values(node).flat())
    if (typeof value?.type === 'string') visit(value, see, node)
}
