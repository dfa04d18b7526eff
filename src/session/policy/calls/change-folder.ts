import { effect, type Effect } from '../effect.ts'
import { type Judging, lookAt } from '../judging.ts'
import { isWithin, joinPath, normal, shown } from '../paths.ts'
import { matching } from '../patterns.ts'
import type { Argument } from '../syntax/argument.ts'
import { type Outcome, type Place, union } from '../syntax/place.ts'

/** `cd`: free within the workspace. The shell may be there afterwards. */
export function changeFolder(judging: Judging, args: readonly Argument[], place: Place): Outcome {
  const { cwds } = place
  const targets = args[0]?.is === 'text' && args[0].text === '--' ? args.slice(1) : args
  const paths = pathsTo(judging, targets, place)
  if (paths === undefined)
    return { effects: [effect('unclear', 'nobody looked at its folders yet')], cwds: null }
  if (paths === null || paths.length === 0)
    return { effects: [effect('state', 'changes the folder of the shell')], cwds: null }
  const changes = paths.map((path) => changeTo(judging, path))
  const next = changes.map(({ folder }) => folder)
  // A loop may have left it where it was.
  const before = targets.length > 1 || targets[0]?.is === 'pattern' ? cwds : []
  const all = next.includes(null) ? null : next.filter((folder) => folder !== null)
  return { effects: changes.flatMap(({ effects }) => effects), cwds: union(before, all) }
}

/** The folders that it may go to, of which a loop gives it one at a time; undefined when somebody has to look first, null when nobody can say. */
function pathsTo(
  judging: Judging,
  targets: readonly Argument[],
  { cwds, loops, shell }: Place,
): readonly string[] | null | undefined {
  // To zsh two words are a piece of its folder's name, and another in its place.
  const isOfLoop = loops.size > 0 && shell === 'bash'
  if (targets.length !== 1 && (targets.length === 0 || !isOfLoop)) return null
  const found = targets.map((target) => {
    if (target.is === 'pattern' && loops.size > 0 && cwds !== null) {
      const matched = cwds.map((cwd) => matching(judging, cwd, target.pattern))
      return matched.includes(undefined) ? undefined : matched.flatMap((each) => each ?? [])
    }
    const isKnown = target.is === 'text' && !/^[-+~]|^$/.test(target.text)
    if (!isKnown || (cwds === null && !target.text.startsWith('/'))) return null
    return (cwds ?? ['/']).map((cwd) => joinPath(cwd, target.text))
  })
  if (found.includes(null)) return null
  return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? [])
}

function changeTo(
  judging: Judging,
  path: string,
): { folder: string | null; effects: readonly Effect[] } {
  const { workspace, home } = judging.facts
  const fact = lookAt(judging, path)
  if (fact === undefined)
    return { folder: null, effects: [effect('unclear', 'nobody looked at its folders yet')] }
  const real = fact.real ?? normal(path)
  // Behind a link `..` is another folder for the shell than for programs.
  const folder = real === normal(path) ? real : null
  if (isWithin(real, workspace)) return { folder, effects: [] }
  const reason = `goes to ${shown(real, home)}, outside the workspace`
  return { folder, effects: [effect('outside', reason, [real])] }
}
