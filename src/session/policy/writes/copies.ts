import { effect, type Effect } from '../effect.ts'
import { type Judging, lookAt } from '../judging.ts'
import { joinPath, readsDeep, readsFiles } from '../paths.ts'
import { readCall } from '../programs/read-call.ts'
import { spec, type Spec } from '../programs/spec.ts'
import type { Argument } from '../syntax/argument.ts'
import type { Call } from '../calls/call.ts'
import { entryOf, misplaced, notLooked, pathsOf, writesPath } from './write-path.ts'

const specs: Readonly<Record<'cp' | 'mv', Spec>> = {
  cp: spec({
    flags: '-r -R -a -v -n -p -f -i -u --recursive --archive --no-clobber --verbose',
    isTame: false,
  }),
  mv: spec({ flags: '-v -n -f -i -u -k --no-clobber --verbose', isTame: false }),
}

/** `cp` and `mv`: each file is judged where it comes to be. */
export function copies(
  name: 'cp' | 'mv',
  { judging, args, place }: Pick<Call, 'judging' | 'args' | 'place'>,
): readonly Effect[] {
  const call = readCall(name, args, specs[name])
  if (call.unknown !== null) return [effect('unclear', call.unknown)]
  const sources = call.operands.slice(0, -1)
  const target = call.operands.at(-1)
  const { cwds } = place
  if (target?.is !== 'text' || sources.length === 0 || cwds === null)
    return [effect('unclear', `calls ${name} with files that nobody knows`)]
  return cwds.flatMap((cwd) =>
    sources.flatMap((source) => {
      if (source.is !== 'text' && source.is !== 'pattern')
        return [effect('unclear', `calls ${name} with files that nobody knows`)]
      const from = pathsOf(judging, cwd, source)
      if (from === undefined) return [notLooked]
      const to = { path: joinPath(cwd, target.text), isSeveral: sources.length + from.length > 2 }
      const effects = [
        ...(name === 'cp' ? readsWhole(judging, cwd, { source, from }) : []),
        ...from.flatMap((path) => copiesPath(judging, { name, path, to })),
      ]
      const isLooped =
        place.loops.size > 0 && from.some((path) => lookAt(judging, path)?.kind === 'folder')
      // Elsewhere it asks for that.
      return isLooped && effects.every(({ kind }) => kind === 'write')
        ? [...effects, effect('unclear', 'moves or copies folders in a loop')]
        : effects
    }),
  )
}

/** A folder is read with all that is in it. */
function readsWhole(
  judging: Judging,
  cwd: string,
  { source, from }: { source: Argument; from: readonly string[] },
): readonly Effect[] {
  const isFolder = from.some((path) => lookAt(judging, path)?.kind === 'folder')
  return isFolder
    ? readsDeep(judging, source, { cwds: [cwd], shown: 'all', isHidden: true })
    : readsFiles(judging, [cwd], source)
}

interface Copied {
  name: 'cp' | 'mv'
  path: string
  to: { path: string; isSeveral: boolean }
}

function copiesPath(judging: Judging, { name, path, to }: Copied): readonly Effect[] {
  const fact = lookAt(judging, path)
  const entry = entryOf(judging, path)
  if (fact === undefined || entry === undefined) return [notLooked]
  const away = name === 'mv' ? misplaced(judging, path) : null
  if (away !== null) return away
  // A link that comes to be elsewhere would be read, later on, as what nobody looked at.
  if (fact.kind !== 'none' && fact.real !== entry)
    return [effect('unclear', `calls ${name} with a link`)]
  const finals = finalsOf(judging, path, to)
  if (finals === undefined) return [notLooked]
  const written = once(finals.flatMap((final) => writesPath(judging, final, 'write')))
  return fact.kind === 'folder' ? [...written, ...copiesFolder(judging, path, finals)] : written
}

/** People are told one of two places that are possible. */
function once(effects: readonly Effect[]): readonly Effect[] {
  return effects.map((each) => ({
    ...each,
    reason: effects.find(({ kind }) => kind === each.kind)?.reason ?? each.reason,
  }))
}

/** All that is in a folder goes along: not into another one that is there already. */
function copiesFolder(
  judging: Judging,
  path: string,
  finals: readonly string[],
): readonly Effect[] {
  const isWhole = /[^/.]$|[^/.][.]+$/.test(path)
  const isThere = finals.some((final) => lookAt(judging, final)?.kind !== 'none')
  return isWhole && !isThere
    ? [{ ...effect('write', 'moves or copies a folder'), shifts: true }]
    : [effect('unclear', 'puts what is in a folder among other files')]
}

/** In a folder it keeps its name. One that is not there yet may be made before: both are possible. */
function finalsOf(
  judging: Judging,
  path: string,
  { path: target, isSeveral }: Copied['to'],
): readonly string[] | undefined {
  const fact = lookAt(judging, target)
  if (fact === undefined) return undefined
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  const inside = joinPath(target.replace(/(?<=[^/])\/+$/, ''), name)
  if (fact.kind === 'folder' || target.endsWith('/') || isSeveral) return [inside]
  return fact.kind === 'none' ? [target, inside] : [target]
}
