// The types of an entry of the package as one file that needs no other: what its declarations take from
// the protocol, where types are inferred from schemas, is spelled out from those schemas.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { isolatedDeclaration } from 'rolldown/experimental'

const root = new URL('..', import.meta.url).pathname

/** The declarations of a module, with those of the modules whose types it uses in place of the imports. */
export async function declarationsOf(path, told = new Set()) {
  const { code, errors } = await isolatedDeclaration(path, await readFile(path, 'utf8'))
  if (errors.length > 0) throw new Error(`${path}: ${errors.map((error) => error.message).join()}`)
  let text = ''
  let rest = code
  for (const [all, names, from] of code.matchAll(
    /^import (?:type )?\{([^}]*)\} from "([^"]*)";\n/gm,
  )) {
    rest = rest.replace(all, '')
    const used = names.split(',').map((name) => name.trim().replace(/^type /, ''))
    const file = join(dirname(path), from)
    if (from.startsWith('./protocol/')) text += await printed(file, used)
    else if (!told.has(file)) text += await inner(file, told.add(file))
  }
  return text + rest
}

/** Of a module of our own: it is exported, or not, by the one that imports it. */
async function inner(path, told) {
  const text = await declarationsOf(path, told)
  return text
    .replaceAll(/^export (?=declare|interface|type)/gm, '')
    .replaceAll(/^export \{.*\};?\n/gm, '')
}

/** A schema has its type's name. */
async function printed(path, names) {
  const schemas = await loaded(path)
  const { z } = await import('zod')
  return names
    .map((name) => {
      const schema = z.toJSONSchema(schemas[name], {
        io: 'output',
        reused: 'inline',
        unrepresentable: 'any',
      })
      return `type ${name} = ${typeOf(schema)};\n`
    })
    .join('')
}

async function loaded(path) {
  const cache = join(root, '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'types-'))
  try {
    const bundle = await rolldown({ input: path, platform: 'node', external: ['zod'] })
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'schemas.mjs' })
    await bundle.close()
    return await import(pathToFileURL(join(folder, 'schemas.mjs')).href)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const plainTypes = {
  string: 'string',
  boolean: 'boolean',
  null: 'null',
  integer: 'number',
  number: 'number',
}

/** A JSON schema as TypeScript says it. */
function typeOf(schema) {
  const { type, anyOf, oneOf, allOf } = schema
  const either =
    anyOf ?? oneOf ?? (Array.isArray(type) && type.map((one) => ({ ...schema, type: one })))
  if (either) return either.map(typeOf).join(' | ')
  if (allOf) return allOf.map((part) => `(${typeOf(part)})`).join(' & ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (type === 'array') return `(${typeOf(schema.items ?? {})})[]`
  if (type === 'object') return objectOf(schema)
  return plainTypes[type] ?? otherType(schema)
}

function otherType(schema) {
  if (Object.keys(schema).length === 0) return 'unknown'
  throw new Error(`no type is known for ${JSON.stringify(schema)}`)
}

function objectOf({ properties = {}, required = [], additionalProperties: rest }) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isSure = required.includes(name)
    return `${JSON.stringify(name)}${isSure ? '' : '?'}: ${typeOf(schema)}${isSure ? '' : ' | undefined'}`
  })
  if (fields.length === 0 && rest) return `Record<string, ${typeOf(rest)}>`
  return `{ ${fields.join('; ')} }`
}
