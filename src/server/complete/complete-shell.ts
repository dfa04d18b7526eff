import type { CompletionItem } from '../../protocol/completion.ts'
import { limits } from '../../protocol/limits.ts'
import type { Want } from '../../session/complete.ts'
import { folderOf } from './command-folder.ts'
import { inTime } from './in-time.ts'
import { quotePath, quoteShell } from './quote-shell.ts'
import { isTreacherous, showName } from './show-name.ts'
import type { ShellNames } from '../terminal/shell-names.ts'
import type { CompleterDeps, Found } from './source.ts'

type ShellWant = Want & { kind: 'shell' }

/** Earlier lines that go on like this one stand above words, but must not hide them. */
const mostHistory = 5
const unknown: ShellNames = { aliases: [], functions: [], variables: [], builtins: [], path: '' }

/** What could stand in a command line: an earlier line, and the word at the cursor. */
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
  const isShared = want.place === 'terminal'
  const known = (isShared ? await inTime(deps.names(), null) : null) ?? unknown
  const [used, { shell }] = [await deps.used(), deps.place()]
  const found = await deps.programs.find({
    text,
    path: known.path || (deps.env['PATH'] ?? ''),
    weight: (name) => used.get(name) ?? 0,
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

/** Functions with an underscore in front are parts of others, unless somebody asks for them. */
function isTheirs(name: string, text: string): boolean {
  return text.startsWith('_') || !name.startsWith('_')
}

async function variables(want: ShellWant, deps: CompleterDeps): Promise<readonly CompletionItem[]> {
  const isShared = want.place === 'terminal'
  const known = (isShared ? await inTime(deps.names(), null) : null) ?? unknown
  return [...new Set([...known.variables, ...Object.keys(deps.env)])]
    .filter((name) => name.startsWith(want.text) && /^\w+$/.test(name))
    .filter((name) => isTheirs(name, want.text))
    .sort()
    .slice(0, limits.completions)
    .map((name) => ({ label: `$${name}`, insert: name, kind: 'variable' }))
}

async function paths(want: ShellWant, deps: CompleterDeps): Promise<readonly CompletionItem[]> {
  // What the shell would fill in, only the shell knows; and what flags there are, only the program.
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
