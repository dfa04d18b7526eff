import type { ShellName } from '../../protocol/events/shell.ts'
import {
  escapeOf,
  isTreacherous,
  showName,
  folderOf,
  inTime,
  type CompleterDeps,
  type Found,
} from './source.ts'
import type { CompletionItem } from '../../protocol/http/completion.ts'
import { limits } from '../../protocol/limits.ts'
import type { Want } from '../../session/complete/complete.ts'
import type { ShellNames } from '../terminal/shell/ask-state.ts'

/** No shell gives these characters a meaning. */
const plain = /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{N}_@%+:,./=-]*$/u

/** A word that the shell reads as exactly this text. */
export function quoteShell(word: string, shell: ShellName): string {
  if (plain.test(word)) return word
  if (shell === 'fish') return isTreacherous(word) ? fishEscapes(word) : fishQuotes(word)
  if (isTreacherous(word)) return ansiQuotes(word)
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The same for a path that begins in somebody’s home: its `~` must stay bare. */
export function quotePath(path: string, shell: ShellName, hasTilde: boolean): string {
  const home = hasTilde ? (/^~[^/]*\//.exec(path)?.[0] ?? '') : ''
  const rest = path.slice(home.length)
  return rest === '' ? home : home + quoteShell(rest, shell)
}

function ansiQuotes(word: string): string {
  // Each escape ends by itself: what follows a hexadecimal one must not be taken for its next digit.
  const body = word.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}'\\]/gu, (char) =>
    char === "'" || char === '\\' ? `\\${char}` : escapeOf(char),
  )
  return `$'${body}'`
}

function fishQuotes(word: string): string {
  return `'${word.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}

/** Outside quotes fish knows escapes: all that is not plain is written as one. */
function fishEscapes(word: string): string {
  return word.replaceAll(/[^\p{L}\p{N}_./-]/gu, (char) =>
    isTreacherous(char) ? escapeOf(char) : `\\${char}`,
  )
}

type ShellWant = Want & { kind: 'shell' }

/** Earlier lines that go on like this one stand above words, but must not hide them. */
const mostHistory = 5
const unknown: ShellNames = { aliases: [], functions: [], variables: [], builtins: [], path: '' }

/** Completes a command line: as an earlier line, and the word at the cursor. */
export async function completeShell(want: ShellWant, deps: CompleterDeps): Promise<Found> {
  if (want.role === 'comment') return { items: [] }
  const [lines, words] = await Promise.all([pastLines(want, deps), wordsFor(want, deps)])
  return { items: [...lines, ...words].slice(0, limits.completions) }
}

function wordsFor(want: ShellWant, deps: CompleterDeps): Promise<readonly CompletionItem[]> {
  if (want.role === 'variable') return variables(want, deps)
  const isName = want.role === 'program' && !want.text.includes('/') && !want.hasTilde
  return isName ? programs(want, deps) : paths(want, deps)
}

/** Only the part from the word on is put in: all before it is there already. */
async function pastLines(want: ShellWant, deps: CompleterDeps): Promise<readonly CompletionItem[]> {
  const { text, before, isWhole } = want.line
  if (!isWhole || want.role === 'variable' || want.place !== 'terminal') return []
  const past = await deps.past('shell')
  return past
    .filter((each) => each.text !== text && each.text.startsWith(text) && !isTreacherous(each.text))
    .slice(0, mostHistory)
    .map((each) => ({ label: each.text, insert: each.text.slice(before.length), kind: 'history' }))
}

async function programs(want: ShellWant, deps: CompleterDeps): Promise<readonly CompletionItem[]> {
  const { text } = want
  const known = await namesFor(want, deps)
  const [used, { shell }] = [await deps.used(), deps.place()]
  const found = await deps.programs({
    text,
    path: known.path || (deps.env['PATH'] ?? ''),
    weights: Object.fromEntries(used),
    limit: limits.completions,
  })
  const items = new Map<string, CompletionItem>()
  const add = (name: string, kind: CompletionItem['kind'], detail?: string) => {
    if (!name.startsWith(text) || items.has(name)) return
    const base = { label: showName(name), insert: quoteShell(name, shell), kind }
    items.set(name, detail === undefined ? base : { ...base, detail: showName(detail) })
  }
  // In the order in which a shell looks for them.
  for (const { name, value } of known.aliases) add(name, 'alias', value)
  for (const name of known.functions) if (isTheirs(name, text)) add(name, 'function')
  for (const name of known.builtins) add(name, 'program', 'built in')
  for (const name of found) add(name, 'program')
  const weight = (name: string) => used.get(name) ?? 0
  return [...items.entries()]
    .sort(([a], [b]) => weight(b) - weight(a) || (a < b ? -1 : 1))
    .map(([, item]) => item)
}

/** Only the shared shell is asked for the names it knows. */
async function namesFor(want: ShellWant, deps: CompleterDeps): Promise<ShellNames> {
  return (want.place === 'terminal' ? await inTime(deps.names(), null) : null) ?? unknown
}

/** Functions with an underscore in front are parts of others, unless somebody asks for them. */
function isTheirs(name: string, text: string): boolean {
  return text.startsWith('_') || !name.startsWith('_')
}

async function variables(want: ShellWant, deps: CompleterDeps): Promise<readonly CompletionItem[]> {
  const known = await namesFor(want, deps)
  return [...new Set([...known.variables, ...Object.keys(deps.env)])]
    .filter((name) => name.startsWith(want.text) && /^\w+$/.test(name))
    .filter((name) => isTheirs(name, want.text))
    .sort()
    .slice(0, limits.completions)
    .map((name) => ({ label: `$${name}`, insert: name, kind: 'variable' }))
}

async function paths(want: ShellWant, deps: CompleterDeps): Promise<readonly CompletionItem[]> {
  // Only the shell knows its expansions, and only the program its flags.
  if (!want.isLiteral || want.text.startsWith('-')) return []
  const { shell } = deps.place()
  const found = await deps.paths({
    text: want.text,
    base: await folderOf(want.place, deps),
    home: want.hasTilde ? (deps.env['HOME'] ?? null) : null,
    limit: limits.completions,
  })
  return found.map(({ path, isFolder }) => ({
    label: showName(path),
    // A name that looks like a flag would be taken for one.
    insert: quotePath(path.startsWith('-') ? `./${path}` : path, shell, want.hasTilde),
    kind: isFolder ? 'folder' : 'file',
  }))
}
