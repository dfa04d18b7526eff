import fuzzysort from 'fuzzysort'
import { lettersOf, type NameList, noNames, type IndexedNames } from './file-index.ts'
import { isAbsolute, relative } from 'node:path'
import type { CompletionItem } from '../../protocol/http/completion.ts'
import { limits } from '../../protocol/limits.ts'
import { quoteMention } from '../../session/complete/arguments.ts'
import { findMentions } from '../../session/decide/attach.ts'
import { inTime, showName, type CompleterDeps, type Found } from './source.ts'

export interface RankOptions {
  /** Names below this folder are nearer; it ends with a slash, or is empty. */
  near: string
  /** Names that were used before, the last used first. */
  recent: readonly string[]
  limit: number
}

/** So many of the most likely are looked at closely; that costs more than all the rest. */
const shortlist = 300

/**
 * The names that have these letters in this order, best first. All of them are looked at, but only
 * roughly: fuzzysort judges those that are left, for it takes 100 ms and 100 MB for 50,000 names.
 */
export function rankFiles(
  list: NameList,
  text: string,
  { near, recent, limit }: RankOptions,
): readonly string[] {
  const places = new Map(recent.map((name, index) => [name, index]))
  const known = { near, used: (name: string) => places.has(name) }
  if (text === '') return firstNames(list.names, known).slice(0, limit)
  const prepared = shortlistOf(list, text, known).map((name) => fuzzysort.prepare(name))
  const judged = fuzzysort.go(text, prepared, { threshold: 0, limit: 0 }).map((result) => {
    const place = places.get(result.target)
    const before = place === undefined ? 0 : 0.5 / (1 + place)
    const isNear = near !== '' && result.target.startsWith(near)
    return { name: result.target, score: result.score + before + (isNear ? 0.2 : 0) }
  })
  return judged
    .sort((a, b) => b.score - a.score || inOrder(a.name, b.name))
    .slice(0, limit)
    .map(({ name }) => name)
}

function inOrder(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1)
}

interface Known {
  near: string
  used: (name: string) => boolean
}

/** Nothing typed yet: what was used before, then what lies right here. */
function firstNames(names: readonly string[], { near, used }: Known): readonly string[] {
  const before = names.filter(used)
  const here = names.filter((name) => isChild(name, near))
  return [...new Set([...before, ...here])]
}

function isChild(name: string, folder: string): boolean {
  const slash = name.indexOf('/', folder.length)
  if (slash !== -1 && slash !== name.length - 1) return false
  return name.length > folder.length && name.startsWith(folder)
}

/** By how they hold the text: at their beginning, at their name’s, in it, anywhere, or letter by letter. */
function shortlistOf(
  { names, lower, letters }: NameList,
  text: string,
  { near, used }: Known,
): readonly string[] {
  const wanted = text.toLowerCase()
  const units = Array.from(wanted)
  const needed = lettersOf(wanted)
  const groups: string[][] = [[], [], [], [], []]
  const first: string[] = []
  for (const [index, name] of names.entries()) {
    // Most names lack a letter: that is told without looking at them.
    if ((needed & ~(letters[index] ?? 0)) !== 0) continue
    const group = groups[groupOf(lower[index] ?? '', wanted, units)]
    if (group === undefined) continue
    if (used(name)) first.push(name)
    // Those near the top of the workspace come first: of the others there are enough.
    else if (group.length < shortlist) group.push(name)
    else if (near !== '' && name.startsWith(near)) first.push(name)
  }
  return [...first.slice(0, shortlist), ...groups.flat()].slice(0, 2 * shortlist)
}

const none = -1

function groupOf(name: string, wanted: string, letters: readonly string[]): number {
  const at = name.indexOf(wanted)
  if (at === 0) return 0
  if (at === -1) return hasLetters(name, letters) ? 4 : none
  const base = name.lastIndexOf('/', name.length - 2) + 1
  if (name.startsWith(wanted, base)) return 1
  return name.indexOf(wanted, base) === -1 ? 3 : 2
}

function hasLetters(name: string, letters: readonly string[]): boolean {
  let at = 0
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

/** The first listing of a large workspace may take a while. */
const notYet: IndexedNames = { list: noNames, isWhole: false }
/** Files named in so many last prompts come first. */
const lookedPrompts = 200

/** Files and folders of the workspace by their letters; others by their path. */
export async function completeMention(text: string, deps: CompleterDeps): Promise<Found> {
  const { workspace } = deps.place()
  if (/^(?:~?\/|\.{1,2}\/)/.test(text)) {
    const home = deps.env['HOME'] ?? null
    const found = await deps.paths({ text, base: workspace, home, limit: limits.completions })
    return { items: found.flatMap(({ path }) => item(path)) }
  }
  const { list, isWhole } = await inTime(deps.files.names(workspace), notYet)
  const ranked = rankFiles(list, text, {
    near: nearOf(deps),
    recent: await recentMentions(deps),
    limit: limits.completions,
  })
  return { items: ranked.flatMap(item), isPartial: !isWhole }
}

function item(path: string): readonly CompletionItem[] {
  const insert = quoteMention(path)
  if (insert === null) return []
  return [{ label: showName(path), insert, kind: path.endsWith('/') ? 'folder' : 'file' }]
}

/** The shell’s folder as the workspace sees it. */
function nearOf(deps: CompleterDeps): string {
  const { workspace, cwd } = deps.place()
  const inside = cwd === null ? '' : relative(workspace, cwd)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? '' : `${inside}/`
}

async function recentMentions(deps: CompleterDeps): Promise<readonly string[]> {
  const past = (await deps.past('chat')).slice(0, lookedPrompts)
  const paths = past.flatMap(({ text }) =>
    findMentions(text).flatMap((readings) => readings.map(({ path }) => path)),
  )
  return [...new Set(paths)]
}
