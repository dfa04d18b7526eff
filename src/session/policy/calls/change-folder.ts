import { effect, type Effect } from '../effect.ts'
import { type Judging, lookAt } from '../judging.ts'
import { isWithin, joinPath, normal, shown } from '../paths.ts'
import type { Argument } from '../syntax/argument.ts'
import type { Outcome, Place } from '../syntax/place.ts'

/** `cd`: free within the workspace. The shell may be there afterwards. */
export function changeFolder(judging: Judging, args: readonly Argument[], place: Place): Outcome {
  const [target, ...more] = args[0]?.is === 'text' && args[0].text === '--' ? args.slice(1) : args
  const { cwds } = place
  const isKnown = target?.is === 'text' && more.length === 0 && !/^[-+~]|^$/.test(target.text)
  if (!isKnown || (cwds === null && !target.text.startsWith('/')))
    return { effects: [effect('state', 'changes the folder of the shell')], cwds: null }
  const changes = (cwds ?? ['/']).map((cwd) => changeTo(judging, joinPath(cwd, target.text)))
  const next = changes.map(({ folder }) => folder)
  return {
    effects: changes.flatMap(({ effects }) => effects),
    cwds: next.includes(null) ? null : next.filter((folder) => folder !== null),
  }
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
