import { effect, type Effect } from '../effect.ts'
import { lookAt } from '../judging.ts'
import { isWithin, joinPath, linksBelow, readsFiles } from '../paths.ts'
import type { Argument } from '../syntax/argument.ts'
import type { Call } from './call.ts'
import { listsFiles, showsLittle } from './file-lists.ts'

const alone = new Set(
  '-print -print0 -ls -prune -quit -empty -readable -writable -executable -depth -mount -xdev -follow -daystart -nouser -nogroup -true -false -not -and -or -a -o ! ( ) ,'.split(
    ' ',
  ),
)
const withValue = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -perm -user -group -uid -gid -links -inum -samefile -printf -lname -ilname -fstype -used'.split(
    ' ',
  ),
)
/** Escapes that a terminal acts on. */
const escapes = /\\(?:[1-7]|0[1-7]|[abcefrvE])/
const before = new Set(['-L', '-P', '-H', '-O1', '-O2', '-O3', '-E', '-X'])

/** `find`: folders, then tests; what it runs for each file is judged, what it writes or deletes is named. */
export function judgeFind(call: Call): readonly Effect[] {
  const { judging, args, place } = call
  const from = args.findIndex(
    (arg) => !isFolder(arg) && !(arg.is === 'text' && before.has(arg.text)),
  )
  const folders = (from < 0 ? args : args.slice(0, from)).filter(isFolder)
  const isFollowing = call.words.some((word) => word === '-L' || word === '-follow')
  const roots: readonly Argument[] = folders.length > 0 ? folders : [{ is: 'text', text: '.' }]
  return [
    ...folders.flatMap((folder) => readsFiles(judging, place.cwds, folder)),
    ...(isFollowing ? roots.flatMap((root) => linksBelow(judging, place.cwds, root)) : []),
    ...(from < 0 ? [] : judgeTests(call, args.slice(from))),
  ]
}

function isFolder(arg: Argument): boolean {
  if (arg.is === 'text') return !/^[-(!,]/.test(arg.text)
  const [first] = arg.is === 'pattern' ? arg.pattern : []
  return first !== undefined && 'text' in first && /^[^-(!,]/.test(first.text)
}

function judgeTests(call: Call, [test, ...rest]: readonly Argument[]): readonly Effect[] {
  if (test === undefined) return []
  if (test.is !== 'text')
    return [effect('unclear', 'calls find with an argument that may be an action')]
  const { text } = test
  if (alone.has(text)) return judgeTests(call, rest)
  if (withValue.has(text)) {
    const [value, ...more] = rest
    if (value !== undefined && isOneValue(value))
      return [...printsCodes(text, value), ...judgeTests(call, more)]
    return [effect('unclear', `calls find with ${text} and a value that nobody knows`)]
  }
  if (text === '-delete') return [effect('destroy', 'deletes all files that it finds')]
  if (/^-(?:exec|ok)(?:dir)?$/.test(text)) return runsForEach(call, rest, text === '-exec')
  return [
    effect('unclear', `calls find with ${text}, which is not on the list of tests that only look`),
  ]
}

function printsCodes(test: string, value: Argument): readonly Effect[] {
  const isCode = test === '-printf' && value.is === 'text' && escapes.test(value.text)
  return isCode ? [effect('terminal', 'sends codes to the terminal')] : []
}

/** Each file's name takes the place of the braces. */
function runsForEach(call: Call, args: readonly Argument[], isExec: boolean): readonly Effect[] {
  const { inner, place } = call
  const end = args.findIndex(
    (each) => each.is === 'text' && (each.text === ';' || each.text === '+'),
  )
  const found: Argument = { is: 'unknown', why: aFile, isOne: true }
  const command = args
    .slice(0, end < 0 ? args.length : end)
    .map((each) => (each.is === 'text' && each.text.includes('{}') ? found : each))
  const judged = inner(command, { ...place, cwds: null })
  const after = end < 0 ? [] : judgeTests(call, args.slice(end + 1))
  if (isExec && end > 0 && onlySearches(call, command, judged))
    return [effect('minor', 'searches each file that it finds'), ...after]
  return [effect('code', 'runs a command for each file that it finds'), ...judged, ...after]
}

/** A search for a word in files that are no secrets by what find was told. */
function onlySearches(
  call: Call,
  [name, ...args]: readonly Argument[],
  effects: readonly Effect[],
): boolean {
  const isSearch = name?.is === 'text' && /^[ef]?grep$/.test(name.text)
  const tests = ['find', ...call.words.map((word) => word ?? '$')]
  return (
    isSearch &&
    showsLittle(args) &&
    isHere(call) &&
    listsFiles(tests) &&
    effects.every(({ reason }) => reason.endsWith(aFile))
  )
}

/** All folders that it goes through are in the workspace, and no link leads out of them. */
function isHere({ judging, args, words, place }: Call): boolean {
  const { cwds } = place
  if (cwds === null || words.includes('-L') || words.includes('-follow')) return false
  const from = args.findIndex((arg) => arg.is === 'text' && /^[-(!]/.test(arg.text))
  const named = args.slice(0, Math.max(from, 0))
  const folders = named.length === 0 ? ['.'] : named.map(textOf)
  return cwds.every((cwd) =>
    folders.every((folder) => {
      const real = folder === null ? null : lookAt(judging, joinPath(cwd, folder))?.real
      return typeof real === 'string' && isWithin(real, judging.facts.workspace)
    }),
  )
}

const textOf = (arg: Argument) => (arg.is === 'text' ? arg.text : null)

const aFile = 'it is a file that find finds'

/** Not what a variable holds; nor a pattern without quotes that a file with the name of an action may meet. */
function isOneValue(value: Argument): boolean {
  if (value.is !== 'pattern') return value.is === 'text'
  return value.pattern.some((piece) => 'text' in piece && /[./]/.test(piece.text))
}
