import type { Call } from '../calls/call.ts'
import { effect, type Effect } from '../effect.ts'
import { type Judging, lookAt } from '../judging.ts'
import { isWithin, joinPath } from '../paths.ts'
import { matching } from '../patterns.ts'
import type { Argument } from '../syntax/argument.ts'
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
export function namedBy({
  judging,
  args,
  place,
}: Pick<Call, 'judging' | 'args' | 'place'>): readonly Found[] {
  const end = args.findIndex((arg) => arg.is === 'text' && arg.text === '--')
  const operands = args.filter(
    (arg, at) =>
      at !== end && !(arg.is === 'text' && arg.text.startsWith('-') && (end < 0 || at < end)),
  )
  return operands.flatMap((operand) => filesOf(judging, operand, place, operands.length))
}

function filesOf(
  judging: Judging,
  operand: Argument,
  { cwds }: Place,
  count: number,
): readonly Found[] {
  const [cwd] = cwds ?? []
  if (operand.is === 'odd' || operand.is === 'unknown')
    return [{ name: 'something', kind: null, entry: null }]
  if (operand.is === 'pattern') {
    const paths = cwd === undefined ? undefined : matching(judging, cwd, operand.pattern)
    const isFew = paths !== undefined && paths.length > 0 && paths.length <= maxLooked
    const name = operand.pattern
      .map((piece) => ('text' in piece ? piece.text : piece.glob))
      .join('')
      .replace(/^\.\//, '')
    if (!isFew || cwd === undefined) return [{ name, kind: null, entry: null }]
    const start = cwd === '/' ? 1 : cwd.length + 1
    return paths.map((path) => ({
      name: name.startsWith('/') ? path : path.slice(start).replace(/^\.\//, ''),
      ...fileAt(judging, path),
    }))
  }
  const { text } = operand
  const isLooked = count <= maxLooked && (cwd !== undefined || text.startsWith('/'))
  const at = isLooked ? fileAt(judging, joinPath(cwd ?? '/', text)) : { kind: null, entry: null }
  return [{ name: text, ...at }]
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
