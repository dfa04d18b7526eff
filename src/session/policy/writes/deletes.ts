import type { Call } from '../calls/call.ts'
import { effect, type Effect } from '../effect.ts'
import { type Judging, lookAt } from '../judging.ts'
import { isWithin, joinPath } from '../paths.ts'
import { matching } from '../patterns.ts'
import type { Pattern } from '../syntax/argument.ts'
import type { Place } from '../syntax/place.ts'
import { entryOf } from './write-path.ts'

/** More of them are told by their names only. */
const maxLooked = 200

interface Found {
  name: string
  kind: 'file' | 'folder' | 'link' | null
  /** The place of the name itself: a link is deleted, not what it means. */
  entry: string | null
}

/** `rm` and its like: the things that are gone afterwards, counted, and where they really are. */
export function deletes(
  call: Pick<Call, 'judging' | 'name' | 'args' | 'place'>,
): readonly Effect[] {
  const { name, judging, place } = call
  const found = namedBy(call)
  const targets = found.flatMap(({ entry }) => (entry === null ? [] : [entry]))
  const told = (verb: string) => `${verb} ${counted(found)}`
  if (name === 'rmdir') return [emptied(judging, { found, targets })]
  const isCommon = (place.cwds?.length ?? 0) === 1 && targets.length > 0
  return [
    effect(
      'destroy',
      told(name === 'shred' ? 'destroys' : 'deletes'),
      isCommon ? targets : undefined,
    ),
  ]
}

/** Only a folder with nothing in it goes. */
function emptied(
  { facts: { workspace } }: Judging,
  { found, targets }: { found: readonly Found[]; targets: readonly string[] },
): Effect {
  const isKnown = found.length > 0 && targets.length === found.length
  const kind = targets.every((target) => isWithin(target, workspace)) ? 'alters' : 'outside'
  const names = listed(found.map((each) => each.name))
  return isKnown
    ? effect(kind, `removes ${names}, if nothing is in it`, targets)
    : effect('destroy', `deletes ${names}`)
}

/** The operands as files that are there; a pattern is what it finds. */
function namedBy({
  judging,
  args,
  place,
}: Pick<Call, 'judging' | 'args' | 'place'>): readonly Found[] {
  const end = args.findIndex((arg) => arg.is === 'text' && arg.text === '--')
  const operands = args.filter(
    (arg, at) =>
      at !== end && !(arg.is === 'text' && arg.text.startsWith('-') && (end < 0 || at < end)),
  )
  const isMany = operands.length > maxLooked
  return operands.flatMap((operand) => {
    switch (operand.is) {
      case 'text':
        return [isMany ? unseen(operand.text) : named(judging, operand.text, place)]
      case 'pattern':
        return matched(judging, operand.pattern, place)
      case 'odd':
      case 'unknown':
        return [unseen('something')]
      default:
        return operand satisfies never
    }
  })
}

function unseen(name: string): Found {
  return { name, kind: null, entry: null }
}

function named(judging: Judging, text: string, { cwds }: Place): Found {
  const [cwd] = cwds ?? []
  const isKnown = cwd !== undefined || text.startsWith('/')
  return isKnown ? { name: text, ...fileAt(judging, joinPath(cwd ?? '/', text)) } : unseen(text)
}

function matched(judging: Judging, pattern: Pattern, { cwds }: Place): readonly Found[] {
  const name = pattern.map((piece) => ('text' in piece ? piece.text : piece.glob)).join('')
  const [cwd] = cwds ?? []
  const paths = cwd === undefined ? [] : (matching(judging, cwd, pattern) ?? [])
  if (cwd === undefined || paths.length === 0 || paths.length > maxLooked)
    return [unseen(name.replace(/^\.\//, ''))]
  const start = joinPath(cwd, '').length
  return paths.map((path) => ({
    name: name.startsWith('/') ? path : path.slice(start).replace(/^\.\//, ''),
    ...fileAt(judging, path),
  }))
}

function fileAt(judging: Judging, path: string): Pick<Found, 'kind' | 'entry'> {
  const fact = lookAt(judging, path)
  const entry = entryOf(judging, path)
  if (fact === undefined || entry === undefined) return { kind: null, entry: null }
  if (fact.kind === 'none') return { kind: null, entry }
  if (fact.real !== entry) return { kind: 'link', entry }
  return { kind: fact.kind === 'folder' ? 'folder' : 'file', entry }
}

/** «3 folders: a, b, c». */
function counted(found: readonly Found[]): string {
  const names = listed(found.map(({ name }) => name))
  const [only] = found
  if (found.length === 1 && only !== undefined)
    return only.kind === 'folder' || only.kind === 'link' ? `the ${only.kind} ${names}` : names
  const kinds = (['folder', 'file', 'link'] as const).flatMap((kind) => {
    const count = found.filter((each) => each.kind === kind).length
    return count === 0 ? [] : [`${count} ${kind}${count === 1 ? '' : 's'}`]
  })
  return found.length > 0 && found.every(({ kind }) => kind !== null)
    ? `${kinds.join(' and ')}: ${names}`
    : names
}

/** A few by their names, many by their number. */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'something'
  return names.length <= 3
    ? names.join(', ')
    : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
}
