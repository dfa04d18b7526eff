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
  const [verb, hasScripts] = verbs.get(name) ?? [null, false]
  if (verb === null) return null
  const operands = words.map((word) => word ?? 'something').filter((word) => !word.startsWith('-'))
  const taken = [1, 2].find((count) => verb.test(operands.slice(0, count).join(' ')))
  if (taken === undefined) return null
  const packages = operands.slice(taken)
  const what = packages.length === 0 ? 'the packages that are listed' : listed(packages)
  const isQuiet = !hasScripts || words.includes('--ignore-scripts')
  const whose = packages.length === 1 ? 'its' : 'their'
  return `installs ${what} from the network${isQuiet ? '' : ` and runs ${whose} scripts`}`
}
