import type { Call } from '../calls/call.ts'
import { effect, type Effect } from '../effect.ts'
import { type Judging, lookAt } from '../judging.ts'
import { isWithin, joinPath, shown } from '../paths.ts'
import type { Argument } from '../syntax/argument.ts'
import { listed } from './deletes.ts'
import { isProtected } from './protected.ts'
import { notLooked, pathsOf } from './write-path.ts'

const symbolic = /^[ugoa]*[-+=][rwxXstugo]*(?:,[ugoa]*[-+=][rwxXstugo]*)*$/
const quiet = /^(?:-[vcf]+|--verbose|--changes|--silent|--quiet)$/
/** A program with these bits runs as its owner. */
const special = /^0*[1-7][0-7]{3,}$|[-+=][rwxX]*[st]/

/** `chmod`: the rights of a file can be put back; those of all files in a folder, or bits that give a program another user, not. */
export function changesRights({ judging, args, place }: Call): readonly Effect[] {
  const at = args.findIndex((arg) => arg.is === 'text' && isMode(arg.text))
  const mode = args[at]
  const rest = args.filter((_, index) => index !== at)
  const flags = rest.filter((arg) => arg.is === 'text' && arg.text.startsWith('-'))
  const files = rest.filter((arg) => !flags.includes(arg))
  const names = listed(files.map((file) => (file.is === 'text' ? file.text : 'some files')))
  const isDeep = flags.some((arg) => arg.is === 'text' && /^-[vcf]*R|^--recursive$/.test(arg.text))
  if (isDeep) return [effect('destroy', `changes the rights of all files in ${names}`)]
  const isKnown = flags.every((arg) => arg.is === 'text' && quiet.test(arg.text))
  if (mode?.is !== 'text' || !isKnown || files.length === 0)
    return [effect('destroy', `changes the rights of ${names}`)]
  if (special.test(mode.text)) return [effect('privilege', `lets ${names} run as its owner`)]
  const say = (name: string) =>
    /^[ugoa]*\+x$/.test(mode.text) ? `makes ${name} executable` : `changes the rights of ${name}`
  const effects = files.flatMap((file) => changesAt(judging, file, { cwds: place.cwds, say }))
  const inside = effects.filter(({ kind }) => kind === 'alters')
  return inside.length < 2
    ? effects
    : [
        ...effects.filter(({ kind }) => kind !== 'alters'),
        effect(
          'alters',
          say(names),
          inside.flatMap(({ targets = [] }) => targets),
        ),
      ]
}

function isMode(text: string): boolean {
  return /^[0-7]{1,5}$/.test(text) || symbolic.test(text)
}

function changesAt(
  judging: Judging,
  file: Argument,
  { cwds, say }: { cwds: readonly string[] | null; say: (name: string) => string },
): readonly Effect[] {
  if (file.is === 'odd' || file.is === 'unknown' || cwds === null)
    return [effect('destroy', say('files that nobody knows'))]
  const { workspace, home } = judging.facts
  return cwds.flatMap((cwd) => {
    const paths = pathsOf(judging, cwd, file)
    if (paths === undefined) return [notLooked]
    return paths.flatMap((path): readonly Effect[] => {
      const fact = lookAt(judging, path)
      if (fact === undefined) return [notLooked]
      const real = fact.real ?? path
      const name = shown(real, home)
      if (!isWithin(real, workspace))
        return [effect('outside', `${say(name)}, outside the workspace`, [real])]
      if (isProtected(real.slice(workspace.length)))
        return [effect('settings', `${say(name)}, which steers other programs`, [real])]
      return [effect('alters', say(file.is === 'text' ? file.text : joinName(path, cwd)), [real])]
    })
  })
}

function joinName(path: string, cwd: string): string {
  return path.startsWith(joinPath(cwd, '')) ? path.slice(joinPath(cwd, '').length) : path
}

/** `chown` and `chgrp`: the first operand is no file. */
export function changesOwner({ name, words }: Call): readonly Effect[] {
  const [owner = 'somebody', ...files] = words.flatMap((word) =>
    word === null ? ['something'] : word.startsWith('-') ? [] : [word],
  )
  const isDeep = words.some((word) => word !== null && /^-\w*R|^--recursive$/.test(word))
  const what = name === 'chgrp' ? 'group' : 'owner'
  const of = `${isDeep ? 'all files in ' : ''}${listed(files)}`
  return [effect('privilege', `makes ${owner} the ${what} of ${of}`)]
}
