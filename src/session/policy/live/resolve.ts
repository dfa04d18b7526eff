import type { LiveState } from './live-state.ts'

/** The meaning of a command's first word in a shell. `odd` says why in a sentence for a person. */
export type Meaning =
  | { readonly is: 'builtin' }
  | { readonly is: 'program'; readonly path: string }
  /** The same program, or built-in, with flags that only change how it looks. */
  | { readonly is: 'alias'; readonly body: string; readonly path: string | null }
  | { readonly is: 'odd'; readonly why: string }

export interface Place {
  readonly state: LiveState
  /** The state after the start files. */
  readonly baseline: LiveState
  /** Without links. */
  readonly workspace: string
}

/** Says what a name means now; it must be one that was asked for. */
export function resolve(place: Place, name: string): Meaning {
  const { state } = place
  if (!state.asked.has(name)) return odd(`nobody asked the shell what \`${name}\` is`)
  const body = state.aliases.get(name)
  if (body === undefined || !expandsAliases(state)) return beneath(place, name)
  const suspect = suspectAlias(name, body)
  if (suspect !== null) return odd(suspect)
  const meant = beneath(place, name)
  if (meant.is === 'odd') return meant
  return { is: 'alias', body, path: meant.is === 'program' ? meant.path : null }
}

const odd = (why: string): Meaning => ({ is: 'odd', why })

function expandsAliases({ shell, options }: LiveState): boolean {
  return shell === 'zsh' ? options.has('aliases') : options.has('expand_aliases')
}

/** Flags that change nothing but the looks of what is printed, or ask more; of any program that has them. */
const looks =
  /^(--colou?r(=(auto|always|never|tty))?|-G|-F|-h|-l|-a|-A|-C|-1|-p|-i|--human-readable|--group-directories-first|--classify(=auto)?|--time-style=[a-z-]+)$/

/** Programs for which all of these are no more than that. */
const plain = new Set('ls dir vdir grep egrep fgrep zgrep diff df du free ip tree'.split(' '))

function suspectAlias(name: string, body: string): string | null {
  const is = `\`${name}\` is an alias for \`${shorten(body)}\``
  const [program, ...flags] = body.split(' ')
  // Behind a blank the next word is looked up as an alias, too.
  if (program !== name || !plain.has(name) || body.endsWith(' ')) return is
  return flags.every((flag) => looks.test(flag)) ? null : is
}

function beneath(place: Place, name: string): Meaning {
  const { state, baseline } = place
  if (state.functions.has(name)) return odd(functionSentence(state, name))
  if (state.builtins.has(name) && !state.disabled.has(name)) {
    if (baseline.builtins.has(name) && !baseline.disabled.has(name)) return { is: 'builtin' }
    return odd(`\`${name}\` is a built-in that the shell did not have when it started`)
  }
  return program(place, name)
}

function functionSentence({ bodies }: LiveState, name: string): string {
  const body = bodies.get(name)
  return body === undefined
    ? `\`${name}\` is a function`
    : `\`${name}\` is a function: ${shorten(body)}`
}

function program({ state, baseline, workspace }: Place, name: string): Meaning {
  const found = state.found.get(name)
  const hashed = state.hashes.get(name)
  if (found === undefined) return odd(`no program is called \`${name}\``)
  if (hashed !== undefined && hashed !== found)
    return odd(`the shell takes \`${name}\` for ${hashed}, and PATH says ${found}`)
  const folder = found.slice(0, -name.length - 1)
  const entry = state.path.find((each) => (each.folder || '.') === folder)
  const physical = entry?.physical ?? null
  if (!folder.startsWith('/') || physical === null)
    return odd(`\`${name}\` is found in ${folder}, which depends on where the shell is`)
  if (isInside(physical, workspace))
    return odd(`\`${name}\` is a program of the workspace: ${found}`)
  const isKnown = baseline.path.some((each) => each.physical === physical)
  if (!isKnown) return odd(`\`${name}\` is found in ${folder}, which was not in PATH at the start`)
  return { is: 'program', path: found }
}

function isInside(folder: string, workspace: string): boolean {
  return (
    folder === workspace || folder.startsWith(workspace.endsWith('/') ? workspace : `${workspace}/`)
  )
}

/** As much as a person reads at a glance. */
export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
