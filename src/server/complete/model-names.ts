import type { ModelInfo } from '../../protocol/model-info.ts'

/** What providers have changes by the month, and asking them takes a second. */
const keptMs = 60_000

/** The names of models as `/model` takes them. */
export function createModelNames(
  list: () => Promise<readonly ModelInfo[]>,
  now: () => number,
): () => Promise<readonly string[]> {
  let known: { at: number; names: Promise<readonly string[]> } | null = null
  return () => {
    if (known === null || now() - known.at > keptMs) known = { at: now(), names: namesOf(list()) }
    return known.names
  }
}

async function namesOf(list: Promise<readonly ModelInfo[]>): Promise<readonly string[]> {
  const providers = await list.catch(() => [])
  return providers.filter(({ reachable }) => reachable).flatMap(({ models }) => models)
}
