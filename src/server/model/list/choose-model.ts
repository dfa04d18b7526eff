import type { ListedModel } from './list-page.ts'
import { hasEnded, knownModel, knownModels } from './known-models.ts'

/** A day as `2026-11-18`. */
type Day = string

interface ChoiceOptions {
  provider: string
  /** Families and aliases, the one that is wanted most first; without any the first of the list is taken. */
  patterns: readonly RegExp[]
  day: Day
}

/**
 * The model to talk to when nobody says which: the newest of the first family that the provider lists. One that is past
 * its announced end is taken only if there is nothing else. Null: the list is empty.
 */
export function chooseModel(
  models: readonly Pick<ListedModel, 'name'>[],
  { provider, patterns, day }: ChoiceOptions,
): string | null {
  const names = models.map(({ name }) => name)
  const living = names.filter((name) => {
    const known = knownModel(provider, name)
    return known === undefined || !hasEnded(known, day)
  })
  const candidates = living.length > 0 ? living : names
  for (const family of patterns) {
    const [newest] = candidates.filter((name) => family.test(name)).sort(byAge)
    if (newest !== undefined) return newest
  }
  return candidates[0] ?? null
}

/** The model to try where there is no list; null: nothing is known of this provider. */
export function presumedModel(provider: string, day: Day): string | null {
  const own = knownModels.filter((known) => known.provider === provider)
  return (own.find((known) => !hasEnded(known, day)) ?? own[0])?.name ?? null
}

/** A date at the end of a name is no version. */
const dated = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/** Nor is one behind the word that a model may still change. */
const preview = /-preview.*$/

/** The higher version first; of one version the name that stays, which has no date, before those that have one. */
function byAge(a: string, b: string): number {
  const one = versionOf(a)
  const other = versionOf(b)
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const higher = (other[at] ?? 0) - (one[at] ?? 0)
    if (higher !== 0) return higher
  }
  return a.length - b.length || (a < b ? 1 : -1)
}

function versionOf(name: string): readonly number[] {
  return [...name.replace(preview, '').replace(dated, '').matchAll(/\d+/g)].map(Number)
}
