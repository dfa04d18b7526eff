import { listed } from '../writes/deletes.ts'

/** The verbs by which package managers get packages; `false`: no script of a package runs. */
const verbs: ReadonlyMap<string, readonly [RegExp, boolean]> = new Map([
  ['npm', [/^(?:install|i|ci|add|update|up|upgrade)$/, true]],
  ['pnpm', [/^(?:install|i|add|update|up)$/, true]],
  ['yarn', [/^(?:install|add|upgrade|up)$/, true]],
  ['bun', [/^(?:install|i|add|update)$/, true]],
  ['pip', [/^install$/, true]],
  ['pip3', [/^install$/, true]],
  ['uv', [/^(?:add|sync|pip install)$/, true]],
  ['poetry', [/^(?:add|install|update)$/, true]],
  ['pipenv', [/^(?:install|update|sync)$/, true]],
  ['gem', [/^install$/, true]],
  ['bundle', [/^(?:install|update)$/, true]],
  ['composer', [/^(?:install|require|update)$/, true]],
  ['cargo', [/^install$/, true]],
  ['go', [/^(?:install|get)$/, false]],
  ['brew', [/^(?:install|upgrade|reinstall)$/, true]],
  ['apt', [/^install$/, true]],
  ['apt-get', [/^install$/, true]],
  ['dnf', [/^install$/, true]],
  ['yum', [/^install$/, true]],
])

/** «installs left-pad and runs its scripts»; null when the call installs nothing. */
export function installsWhat(name: string, words: readonly (string | null)[]): string | null {
  const operands = words.filter((word) => word === null || !word.startsWith('-'))
  const [first = '', second = ''] = operands.map((word) => word ?? 'something')
  const [verb, hasScripts] = verbs.get(name) ?? [null, false]
  const isPair = verb?.test(`${first} ${second}`) === true
  if (verb === null || !(isPair || verb.test(first))) return null
  const packages = operands.slice(isPair ? 2 : 1).map((word) => word ?? 'something')
  const isQuiet = !hasScripts || words.includes('--ignore-scripts')
  const isOne = packages.length === 1
  const what = packages.length === 0 ? 'the packages that are listed' : listed(packages)
  return `installs ${what} from the network${isQuiet ? '' : ` and runs ${isOne ? 'its' : 'their'} scripts`}`
}
