import { acceptableVariables } from '../../../protocol/holder/live-records.ts'
import type { ShellSetting } from '../../../protocol/events/shell.ts'
import type { LiveState } from './live-state.ts'
import { shorten } from './resolve.ts'

/** A way in which the shell is no longer as it was after its start files. */
export interface Drift {
  /** A sentence for a person. */
  readonly sentence: string
  /** The one command name that it changes; null: it may change any command. */
  readonly name: string | null
  /** The setting that it is, where it is of a kind that a person could take as it is. */
  readonly setting?: ShellSetting
}

/** Everything by which a command could mean something else than it did at the start. */
export function drift(baseline: LiveState, state: LiveState): readonly Drift[] {
  return [
    ...functionDrift(baseline, state),
    ...aliasDrift(baseline, state),
    ...oddHashes(state)
      .filter(([name, path]) => baseline.hashes.get(name) !== path)
      .map(([name, path]) => ({ name, sentence: `the shell takes \`${name}\` for ${path} now` })),
    ...pathDrift(baseline, state),
    ...builtinDrift(baseline, state),
    ...trapDrift(baseline, state),
    ...hookDrift(baseline, state),
    ...variableDrift(baseline, state),
    ...optionDrift(baseline, state),
  ]
}

const ofAll = (sentence: string): Drift => ({ sentence, name: null })

/** Completion loads functions of its own when a key is pressed, all named so; `resolve` still sees them. */
export const isPublic = (name: string) => !name.startsWith('_')

/** Names that any command may depend on: what happens when one is not found, and what says what a name is. */
const underAll = new Set(
  'command_not_found_handle command_not_found_handler builtin command type hash'.split(' '),
)

/** Words of the grammar, which nobody looks up as names. */
const reserved = new Set(
  '! [[ ]] { } case coproc do done elif else esac fi for foreach function if in nocorrect repeat select then time until while'.split(
    ' ',
  ),
)

function functionDrift(baseline: LiveState, state: LiveState): readonly Drift[] {
  const added = [...state.functions].filter((name) => !baseline.functions.has(name))
  const exported = [...state.exportedFunctions].filter(
    (name) => !baseline.exportedFunctions.has(name),
  )
  return [
    ...added
      .filter(isPublic)
      .map((name) =>
        underAll.has(name) || name.startsWith('TRAP')
          ? ofAll(`\`${name}\` is a function now`)
          : { sentence: `\`${name}\` is a function now`, name },
      ),
    ...exported.map((name) => ofAll(`the function \`${name}\` is exported to other shells now`)),
  ]
}

function aliasDrift(baseline: LiveState, state: LiveState): readonly Drift[] {
  const changed = (now: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>) =>
    [...now].filter(([name, body]) => before.get(name) !== body)
  return [
    ...changed(state.aliases, baseline.aliases).map(([name, body]) => ({
      sentence: `\`${name}\` is an alias for \`${shorten(body)}\` now`,
      name: reserved.has(name) || underAll.has(name) ? null : name,
    })),
    ...changed(state.globalAliases, baseline.globalAliases).map(([name, body]) =>
      ofAll(`the word \`${name}\` stands for \`${shorten(body)}\` everywhere now`),
    ),
    ...changed(state.suffixAliases, baseline.suffixAliases).map(([name, body]) =>
      ofAll(`a command that ends in .${name} is run by \`${shorten(body)}\` now`),
    ),
  ]
}

/** Remembered places of programs that no search along PATH would give. */
export function oddHashes({ path, hashes }: LiveState): readonly (readonly [string, string])[] {
  const folders = new Set(path.map(({ folder }) => folder || '.'))
  return [...hashes].filter(
    ([name, place]) =>
      !place.endsWith(`/${name}`) || !folders.has(place.slice(0, -name.length - 1)),
  )
}

function pathDrift(baseline: LiveState, state: LiveState): readonly Drift[] {
  const before = baseline.path.map(({ folder }) => folder)
  const now = state.path.map(({ folder }) => folder)
  if (before.join(':') === now.join(':')) return []
  const words = pathWords(before, now)
  const known = new Set(baseline.path.map(({ physical }) => physical))
  const added = state.path.flatMap(({ folder, physical }) =>
    before.includes(folder) && known.has(physical) ? [] : [physical],
  )
  return [
    { ...ofAll(words), setting: { of: 'path', folders: state.path.map(copied), added, words } },
  ]
}

const copied = <T extends object>(value: T): T => ({ ...value })

function pathWords(before: readonly string[], now: readonly string[]): string {
  const named = (folder: string) => folder || 'the current folder'
  const [first = ''] = now
  const added = [...new Set(now)].filter((folder) => !before.includes(folder))
  if (first === before[0])
    return added.length === 0
      ? 'PATH has fewer folders, or another order, now'
      : `PATH has ${added.map(named).join(', ')} now`
  const others = added.filter((folder) => folder !== first).map(named)
  const more = others.length > 0 ? `, and has ${others.join(', ')},` : ''
  return `PATH begins with ${named(first)}${more} now`
}

function builtinDrift(baseline: LiveState, state: LiveState): readonly Drift[] {
  const disabled = [...state.disabled].filter((name) => !baseline.disabled.has(name))
  const added = [...state.builtins].filter((name) => !baseline.builtins.has(name))
  const gone = [...baseline.disabled].filter((name) => !state.disabled.has(name))
  return [
    ...disabled.map((name) => ({ sentence: `the built-in \`${name}\` is switched off now`, name })),
    ...gone.map((name) => ({ sentence: `the built-in \`${name}\` is switched on now`, name })),
    ...added
      .filter((name) => !gone.includes(name))
      .map((name) => ({ sentence: `\`${name}\` is a built-in now`, name })),
  ]
}

function trapDrift({ traps: before }: LiveState, { traps: now }: LiveState): readonly Drift[] {
  if (before.text === now.text) return []
  const added = [...now.names].filter((name) => !before.names.has(name))
  if (added.length === 0) return [ofAll('a trap is no longer what it was')]
  return added.map((name) => ofAll(`${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name} trap is set`))
}

function hookDrift({ hooks: before }: LiveState, { hooks: now }: LiveState): readonly Drift[] {
  return [...now]
    .filter(([name, body]) => before.get(name) !== body)
    .map(([name]) => ofAll(`\`${shorten(name)}\`, which runs by itself, is new or another one now`))
}

/** Variables that choose the letters in which the shell reads. */
const ofLetters = /^(?:LANG|LC_ALL|LC_CTYPE)$/

/** Sets of letters in which a sign of the shell may be half of a letter. */
export function isDoubled(locale: string): boolean {
  return /gb|big5|sjis|shift|euc|johab|uhc|cp9\d\d|2022|^(?:zh|ja|ko)_[A-Z]+$/i.test(locale)
}

function variableDrift(baseline: LiveState, state: LiveState): readonly Drift[] {
  const set = [...state.variables].flatMap(([name, { value, isExported }]) => {
    const before = baseline.variables.get(name)
    if (before?.value === value && before.isExported === isExported) return []
    if (ofLetters.test(name) && !isDoubled(value)) return []
    if (isShowable(name, value))
      return [ofVariable({ name, value, isExported, words: `${name} is \`${value}\` now` })]
    return [ofAll(before === undefined ? `${name} is set now` : `${name} has another value now`)]
  })
  const gone = [...baseline.variables.keys()].filter(
    (name) => !state.variables.has(name) && !ofLetters.test(name),
  )
  return [...set, ...gone.map(goneVariable)]
}

function goneVariable(name: string): Drift {
  const words = `${name} is no longer set`
  return acceptableVariables.has(name)
    ? ofVariable({ name, value: null, isExported: false, words })
    : ofAll(words)
}

type VariableSetting = Omit<ShellSetting & { of: 'variable' }, 'of'>

function ofVariable(setting: VariableSetting): Drift {
  return { ...ofAll(setting.words), setting: { of: 'variable', ...setting } }
}

/** Words that a person reads for what they are; a holder of an older version gives only a hash of any value. */
function isShowable(name: string, value: string): boolean {
  const isHash = /^[\w-]{43}$/.test(value)
  const plain = name.startsWith('GREP_COLOR') ? /^[\w=:;]{0,200}$/ : /^[\w@%+=:,./ -]{0,200}$/
  return acceptableVariables.has(name) && plain.test(value) && !isHash
}

function optionDrift(
  { options: before }: LiveState,
  { options: now }: LiveState,
): readonly Drift[] {
  return [
    ...[...now]
      .filter((name) => !before.has(name) && name !== 'redirected')
      .map((name) => ofOption({ name, isOn: true, words: `the option ${name} is on now` })),
    ...[...before]
      .filter((name) => !now.has(name))
      .map((name) => ofOption({ name, isOn: false, words: `the option ${name} is off now` })),
  ]
}

function ofOption(setting: Omit<ShellSetting & { of: 'option' }, 'of'>): Drift {
  return { ...ofAll(setting.words), setting: { of: 'option', ...setting } }
}
