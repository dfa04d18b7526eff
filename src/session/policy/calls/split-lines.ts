import { effect, type Effect } from '../effect.ts'
import { lookAt } from '../judging.ts'
import { joinPath, linksBelow } from '../paths.ts'
import { isMisleading } from '../split-names.ts'
import { notLooked } from '../writes/write-path.ts'
import type { Call } from './call.ts'

/** Files whose names `xargs` takes for others, where the part before it may list them. */
export function splitsLines({
  judging,
  place,
}: Pick<Call, 'judging' | 'place'>): readonly Effect[] {
  const { before, cwds } = place
  const roots = rootsOf(before)
  if (cwds === null || roots === null) return [odd('names that nobody knows')]
  return cwds.flatMap((cwd) =>
    roots.flatMap((root): readonly Effect[] => {
      const fact = lookAt(judging, joinPath(cwd, root), 'misleading')
      if (fact === undefined) return [notLooked]
      if (fact.kind !== 'folder') return []
      const { misleading } = fact
      if (misleading == null) return [odd('more names than anybody looked at')]
      return misleading.slice(0, 1).map((name) => odd(`the name ${name}`))
    }),
  )
}

/** Links among the files that the part before it may list: what they lead to is read. */
export function linksListed({
  judging,
  place,
}: Pick<Call, 'judging' | 'place'>): readonly Effect[] {
  const roots = rootsOf(place.before) ?? ['.']
  return roots.flatMap((text) => linksBelow(judging, place.cwds, { is: 'text', text }))
}

function odd(what: string): Effect {
  return effect('unclear', `splits ${what}, which may become other files`)
}

/** The folders below which all files are that a part lists; null when nobody can say. */
function rootsOf([name, ...words]: readonly string[]): readonly string[] | null {
  const end = words.indexOf('--')
  const isHidden = end >= 0 && words.slice(end).some((word) => /^-./.test(word) && word !== '--')
  if (isHidden) return null
  const first = words.findIndex((word) => /^(?:-[^HLPO]|[(!])/.test(word))
  const told = name === 'find' && first >= 0 ? words.slice(0, first) : words
  const operands = told.filter((word) => !word.startsWith('-'))
  // To git the first is its verb, and to a search mostly a pattern.
  const named = /^(?:git|[ef]?grep|rg)$/.test(name ?? '') ? operands.slice(1) : operands
  if (named.some((word) => /^~|[{$]/.test(word) || isMisleading(word))) return null
  // A commit is no folder, and git names files from its own root.
  return named.length === 0 || name === 'git' ? ['.'] : named.map(folderOf)
}

/** The folder before the first special letter of a pattern. */
function folderOf(word: string): string {
  const at = word.search(/[*?[]/)
  if (at < 0) return word
  return word.slice(0, word.lastIndexOf('/', at) + 1) || '.'
}
