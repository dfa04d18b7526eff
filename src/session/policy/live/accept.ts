import type { ShellSetting } from '../../../protocol/events/shell.ts'
import type { Effect } from '../effect.ts'
import type { Facts } from '../facts.ts'
import { isWithin } from '../paths.ts'
import { isProtected } from '../writes/protected.ts'
import type { LiveState } from './live-state.ts'
import { isKnownOption } from './shell-effects.ts'

/** More folders than this are no PATH that a person reads. */
const maxFolders = 200

type Place = Pick<Facts, 'workspace' | 'isTrusted'>

/**
 * The settings that a person may take as they are, where nothing else makes a command ask; null where something does.
 * Code that runs by itself, and names that stand for others, are never among them.
 */
export function acceptable(asked: readonly Effect[], place: Place): readonly ShellSetting[] | null {
  const settings = asked.flatMap(({ setting }) => (setting === undefined ? [] : [setting]))
  const isAll = settings.length > 0 && settings.length === asked.length
  return isAll && settings.every((setting) => isAcceptable(setting, place)) ? settings : null
}

function isAcceptable(setting: ShellSetting, place: Place): boolean {
  if (setting.of === 'option') return isKnownOption(setting.name)
  if (setting.of === 'variable') return true
  const { added, folders } = setting
  return folders.length <= maxFolders && added.every((folder) => isOwnPlace(folder, place))
}

/** A folder of the workspace counts only where the model writes nothing unasked, as in `.venv`, and where it is trusted. */
function isOwnPlace(folder: string | null, { workspace, isTrusted }: Place): boolean {
  if (folder === null || !folder.startsWith('/')) return false
  if (!isWithin(folder, workspace)) return true
  return isTrusted && isProtected(folder.slice(workspace.length + 1))
}

/** The state after the start files, as if they had made these settings, too. */
export function withSettings(baseline: LiveState, settings: readonly ShellSetting[]): LiveState {
  return settings.reduce(withSetting, baseline)
}

function withSetting(state: LiveState, setting: ShellSetting): LiveState {
  switch (setting.of) {
    case 'path':
      return { ...state, path: setting.folders }
    case 'variable': {
      const variables = new Map(state.variables)
      const { name, value, isExported } = setting
      if (value === null) variables.delete(name)
      else variables.set(name, { value, isExported })
      return { ...state, variables }
    }
    case 'option': {
      const options = new Set(state.options)
      if (setting.isOn) options.add(setting.name)
      else options.delete(setting.name)
      return { ...state, options }
    }
    default:
      return setting satisfies never
  }
}
