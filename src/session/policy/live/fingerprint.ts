import { isPublic, oddHashes } from './drift.ts'
import type { LiveState } from './live-state.ts'

/**
 * The same for two states in which these names, and all that may change any command, mean the same. A program that
 * was run and is remembered now, or a completion that was loaded, makes no other one.
 */
export function fingerprint(
  state: LiveState,
  { names, hash }: { names: readonly string[]; hash: (text: string) => string },
): string {
  const { shell, cwd, path, traps, variables } = state
  const named = [...names]
    .toSorted()
    .map((name) => [
      name,
      state.asked.has(name),
      state.aliases.get(name) ?? null,
      state.functions.has(name) ? (state.bodies.get(name) ?? '') : null,
      state.hashes.get(name) ?? state.found.get(name) ?? null,
      state.found.get(name) ?? null,
    ])
  const variable = sorted(variables).map(([name, { isExported, value }]) => [
    name,
    isExported,
    value,
  ])
  const tables = [state.aliases, state.globalAliases, state.suffixAliases, state.hooks].map(sorted)
  const sets = [
    state.options,
    state.builtins,
    state.disabled,
    state.exportedFunctions,
    state.typed ?? [],
  ]
  const functions = [...state.functions].filter(isPublic)
  const remembered = sorted(new Map(oddHashes(state)))
  return hash(
    JSON.stringify({
      shell,
      cwd,
      path,
      named,
      variable,
      environment: state.environment ?? '',
      tables,
      remembered,
      traps: traps.text,
      sets: [...sets, functions].map((each) => [...each].toSorted()),
    }),
  )
}

/** Names a state for one command: what may change any command there, and then what this one's names mean. */
export function fingerprintFor(
  of: (names: readonly string[]) => string,
  names: readonly string[],
): string {
  return `${of([])}.${of(names)}`
}

/** The part that is the same for all commands. */
export function shellPart(fingerprint: string): string {
  return fingerprint.slice(0, fingerprint.indexOf('.'))
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].toSorted(([one], [other]) => (one < other ? -1 : 1))
}
