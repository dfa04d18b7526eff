/**
 * Facts about models that their providers’ lists do not tell, as announced by the day they were written down. It is
 * consulted last: a list that tells more counts. `npm run check` and `tandem models` warn of an entry past its end.
 */
export interface KnownModel {
  provider: 'anthropic' | 'gemini' | 'openai'
  /** The models it is about: this name, and the same with a date behind it. */
  name: string
  /** In tokens; left out where the provider's list tells it, or nothing sure is known. */
  context?: number
  output?: number
  /** The day after which the provider announced to refuse it, as `2026-11-30`; left out: none is known. */
  ends?: string
}

/** Written down on 2026-11-18. The first of a provider that has not ended is taken where no list can be had. */
export const knownModels: readonly KnownModel[] = [
  { provider: 'anthropic', name: 'claude-sonnet-4-6', output: 64_000 },
  { provider: 'anthropic', name: 'claude-haiku-4-5', context: 200_000, output: 64_000 },
  {
    provider: 'anthropic',
    name: 'claude-sonnet-4-5',
    context: 200_000,
    output: 64_000,
    ends: '2026-11-30',
  },
  { provider: 'gemini', name: 'gemini-pro-latest' },
  { provider: 'gemini', name: 'gemini-flash-latest' },
  { provider: 'openai', name: 'gpt-5.2', context: 400_000, output: 128_000 },
  { provider: 'openai', name: 'gpt-5.1', context: 400_000, output: 128_000 },
  { provider: 'openai', name: 'gpt-5', context: 400_000, output: 128_000, ends: '2026-12-11' },
  { provider: 'openai', name: 'gpt-4.1', context: 1_047_576, output: 32_768 },
  { provider: 'openai', name: 'gpt-4o', context: 128_000, output: 16_384 },
]

/** The table’s entry for a model; undefined: there is none. */
export function knownModel(provider: string, name: string): KnownModel | undefined {
  return knownModels.find((one) => one.provider === provider && isNamed(name, one))
}

function isNamed(name: string, known: KnownModel): boolean {
  if (!name.startsWith(known.name)) return false
  return /^(-\d{8}|-\d{4}-\d{2}-\d{2})?$/.test(name.slice(known.name.length))
}

/** Past the day that its provider announced. A day is `2026-11-18`, as in the table. */
export function hasEnded(known: KnownModel, day: string): boolean {
  return known.ends !== undefined && known.ends < day
}

/** Sentences about entries that are past their end on this day: somebody should look them up again. */
export function endedWarnings(day: string, table: readonly KnownModel[] = knownModels): string[] {
  return table
    .filter((known) => hasEnded(known, day))
    .map(
      ({ provider, name, ends }) =>
        `${provider}/${name} was announced to end on ${ends}: src/server/model/list/known-models.ts should no longer name it.`,
    )
}
