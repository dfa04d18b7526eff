import { type LiveRecord, splitRecords } from '../../../protocol/holder/live-records.ts'
import { type LiveState, meaningfulOptions, type WatchedVariable } from './live-state.ts'

/**
 * Reads what a shell wrote down in answer to the question with this id, a letter a byte. Null when it is not all
 * there, is another answer, or the shell's own tables do not agree with each other: then nothing is known.
 */
export function readLiveState(text: string, id: string): LiveState | null {
  const records = splitRecords(text)
  if (records === null) return null
  const [answered, shell] = records.find(({ kind }) => kind === 'id')?.fields ?? []
  const last = records.at(-1)
  if (answered !== id || last?.kind !== 'end' || last.fields[0] !== id) return null
  if (shell === 'bash') return fromBash(records.map((record) => decoded(record, (field) => field)))
  return shell === 'zsh' ? fromZsh(records.map((record) => decoded(record, unescaped))) : null
}

/** zsh's values may hold a NUL, and are spelled so that none is seen. */
function unescaped(field: string): string {
  return field.replaceAll(/\\[\\0]/g, (pair) => (pair === '\\0' ? '\0' : '\\'))
}

function decoded({ kind, fields }: LiveRecord, spelled: (field: string) => string): LiveRecord {
  return { kind, fields: fields.map((field) => utf8(spelled(field))) }
}

/** Bytes that are no text stay what they are, behind a sign for that: two of them never become the same. */
function utf8(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  const quoted = bytes.replaceAll(
    /[%\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  try {
    return decodeURIComponent(quoted)
  } catch {
    return `\uFFFD${bytes}`
  }
}

type Records = readonly LiveRecord[]

function fieldsOf(records: Records, kind: string): readonly string[] {
  return records.find((record) => record.kind === kind)?.fields ?? []
}

const textOf = (records: Records, kind: string) => fieldsOf(records, kind)[0] ?? ''
const linesOf = (records: Records, kind: string) =>
  textOf(records, kind)
    .split('\n')
    .filter((line) => line !== '')

/** Names first, then their values in the same order. */
function halves(fields: readonly string[]): ReadonlyMap<string, string> {
  const half = fields.length / 2
  return new Map(fields.slice(0, half).map((name, at) => [name, fields[half + at] ?? '']))
}

function pairs(fields: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? ''] as const] : [])),
  )
}

function fromBash(records: Records): LiveState | null {
  const aliases = halves(fieldsOf(records, 'aliases'))
  const listed = linesOf(records, 'aliased')
  // Variables of bash show its tables, unless somebody has unset them.
  if (listed.length !== aliases.size || !listed.every((name) => aliases.has(name))) return null
  const hashes = halves(fieldsOf(records, 'hashes'))
  const hashed = textOf(records, 'hashed').match(/^builtin hash -p /gm) ?? []
  if (hashed.length !== hashes.size) return null
  const exported = linesOf(records, 'exported').map((line) => line.split(' ').at(-1) ?? '')
  const disabled = linesOf(records, 'disabled').map((line) => line.split(' ').at(-1) ?? '')
  const hooks = fieldsOf(records, 'hooks')
  return {
    ...shared(records, 'bash'),
    options: new Set(meaningfulOptions('bash', textOf(records, 'options').split(':'))),
    aliases,
    globalAliases: new Map(),
    suffixAliases: new Map(),
    functions: new Set(linesOf(records, 'functions').filter(isTheirs)),
    exportedFunctions: new Set(exported),
    hashes,
    builtins: new Set(linesOf(records, 'builtins')),
    disabled: new Set(disabled),
    hooks: hooks.length > 0 ? new Map([[hooks.join(' '), textOf(records, 'hooked')]]) : new Map(),
  }
}

function fromZsh(records: Records): LiveState {
  const options = [...pairs(textOf(records, 'options').split(' '))]
  const on = options.flatMap(([name, value]) => (value === 'on' ? [name] : []))
  return {
    ...shared(records, 'zsh'),
    options: new Set(meaningfulOptions('zsh', on)),
    aliases: halves(fieldsOf(records, 'aliases')),
    globalAliases: halves(fieldsOf(records, 'everywhere')),
    suffixAliases: halves(fieldsOf(records, 'suffixes')),
    functions: new Set(fieldsOf(records, 'functions').filter(isTheirs)),
    exportedFunctions: new Set(),
    hashes: halves(fieldsOf(records, 'hashes')),
    builtins: new Set(fieldsOf(records, 'builtins')),
    disabled: new Set(fieldsOf(records, 'disabled')),
    hooks: pairs(fieldsOf(records, 'hooks')),
  }
}

const isTheirs = (name: string) => !name.startsWith('__tandem_')

type Shared =
  | 'shell'
  | 'cwd'
  | 'path'
  | 'traps'
  | 'bodies'
  | 'variables'
  | 'environment'
  | 'typed'
  | 'asked'
  | 'found'

/** The part that both shells write down in the same way. */
function shared(records: Records, shell: LiveState['shell']): Pick<LiveState, Shared> {
  const folders = fieldsOf(records, 'folders')
  const traps = textOf(records, 'traps')
  return {
    shell,
    cwd: textOf(records, 'cwd').replace(/\n$/, ''),
    path: textOf(records, 'path')
      .split(':')
      .map((folder, at) => ({ folder, physical: folders[at] || null })),
    traps: {
      text: traps,
      names: new Set([...traps.matchAll(/ (\S+)$/gm)].map(([, it = '']) => it)),
    },
    bodies: new Map(
      records.flatMap(({ kind, fields: [name = '', body = ''] }) =>
        kind === 'body' ? [[name, body] as const] : [],
      ),
    ),
    variables: variablesOf(fieldsOf(records, 'variables')),
    environment: textOf(records, 'environment'),
    typed: new Set(fieldsOf(records, 'typed').filter((name) => /^[a-z]/.test(name))),
    asked: new Set(fieldsOf(records, 'asked')),
    found: pairs(fieldsOf(records, 'found')),
  }
}

/** bash says `x` in a few letters, zsh `export` among words. */
function variablesOf(fields: readonly string[]): ReadonlyMap<string, WatchedVariable> {
  const found = new Map<string, WatchedVariable>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [name = '', attributes = '', value = ''] = fields.slice(at, at + 3)
    const isExported = /^[A-Za-z]*x[A-Za-z]*$|(^|-)export(-|$)/.test(attributes)
    found.set(name, { isExported, value })
  }
  return found
}
