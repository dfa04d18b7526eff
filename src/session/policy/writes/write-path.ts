import { effect, type Effect, type EffectKind } from '../effect.ts'
import type { FileFact } from '../facts.ts'
import { type Judging, lookAt } from '../judging.ts'
import { isWithin, joinPath, normal, shown } from '../paths.ts'
import { matching } from '../patterns.ts'
import type { Argument } from '../syntax/argument.ts'
import type { Place } from '../syntax/place.ts'
import { isProtected } from './protected.ts'

/** `create`: it is empty, or as it was; `add`: nothing of it is lost; `write`: it gets another content. */
export type How = 'create' | 'add' | 'write'

export const notLooked: Effect = effect('unclear', 'nobody looked at its files yet')

/** A file that is written or made: where it really is decides. */
export function writesFile(
  judging: Judging,
  { file, place, how }: { file: Argument; place: Place; how: How },
): readonly Effect[] {
  const { cwds } = place
  const verb = how === 'create' ? 'makes' : 'writes'
  if (file.is === 'odd' || file.is === 'unknown')
    return [effect('unclear', `${verb} a file whose name is computed`)]
  if (cwds === null && !(file.is === 'text' && file.text.startsWith('/')))
    return [effect('unclear', `${verb} a file in a folder that nobody knows`)]
  return (cwds ?? ['/']).flatMap((cwd) => {
    const paths = pathsOf(judging, cwd, file)
    if (paths === undefined) return [notLooked]
    // Without a match the pattern itself becomes a name.
    if (paths.length === 0) return [effect('unclear', `${verb} a file with an odd name`)]
    return paths.flatMap((path) => writesPath(judging, path, how))
  })
}

/** The paths that an argument stands for; undefined when somebody has to look first. */
export function pathsOf(
  judging: Judging,
  cwd: string,
  file: Argument & { is: 'text' | 'pattern' },
): readonly string[] | undefined {
  return file.is === 'text' ? [joinPath(cwd, file.text)] : matching(judging, cwd, file.pattern)
}

export function writesPath(judging: Judging, path: string, how: How): readonly Effect[] {
  const fact = lookAt(judging, path, how === 'write' ? 'kept' : 'file')
  const why = misplaced(judging, path)
  if (fact === undefined || why !== null) return why ?? [notLooked]
  return [written(fact, { real: fact.real ?? normal(path), home: judging.facts.home, how })]
}

function written(
  { kind, isKept }: FileFact,
  { real, home, how }: { real: string; home: string | null; how: How },
): Effect {
  const at = shown(real, home)
  const say = (kindOf: EffectKind, reason: string) => effect(kindOf, reason, [real])
  if (how === 'create')
    return kind === 'file' || kind === 'other'
      ? say('write', `touches ${at}`)
      : say('create', `makes ${at}`)
  if (kind === 'none') return say('write', `writes the new file ${at}`)
  if (kind === 'other') return say('unclear', `writes to ${at}, which is no file`)
  if (how === 'add') return say('write', `adds to ${at}`)
  return isKept === false
    ? say('destroy', `overwrites ${at}, whose content git does not have`)
    : say('write', `overwrites ${at}`)
}

/** The reason why no file at a path may be changed unasked: where it is, or where a link leads from there; null when it may. */
export function misplaced(judging: Judging, path: string): readonly Effect[] | null {
  const { workspace, home } = judging.facts
  const fact = lookAt(judging, path)
  const entry = entryOf(judging, path)
  if (fact === undefined || entry === undefined) return [notLooked]
  if (fact.real === null) return [effect('unclear', `writes ${path}, which leads nowhere`)]
  for (const place of new Set([fact.real, entry])) {
    const at = shown(place, home)
    if (!isWithin(place, workspace))
      return [effect('outside', `writes ${at}, outside the workspace`, [place])]
    if (isProtected(place.slice(workspace.length)))
      return [effect('settings', `writes ${at}, which steers other programs`, [place])]
  }
  return null
}

/** The place of a name itself, without following it if it is a link; undefined when somebody has to look first. */
export function entryOf(judging: Judging, path: string): string | undefined {
  const trimmed = path.replace(/(?<=[^/])\/+$/, '')
  const at = trimmed.lastIndexOf('/')
  const name = trimmed.slice(at + 1)
  if (name === '' || name === '.' || name === '..') return lookAt(judging, path)?.real ?? undefined
  const folder = lookAt(judging, trimmed.slice(0, at) || '/')
  return folder === undefined
    ? undefined
    : joinPath(folder.real ?? normal(trimmed.slice(0, at)), name)
}
