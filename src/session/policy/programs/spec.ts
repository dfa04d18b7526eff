import { effect, type Effect } from '../effect.ts'
import type { Judging } from '../judging.ts'
import { looksInto, readsDeep, readsFiles } from '../paths.ts'
import { type Argument, isMany, showsVariable } from '../syntax/argument.ts'
import type { Place } from '../syntax/place.ts'
import { isArity } from './arity.ts'
import { type CallParts, readCall } from './read-call.ts'
import { codesOf } from './codes.ts'
import { type Shown, shownBy } from './search.ts'

/** The calls of a program that only read: exact flags, what they take, and what else may stand there. */
export interface Spec {
  /** Flags that take nothing, as they are spelled; short ones may be joined. */
  flags: ReadonlySet<string>
  /** Flags that take a value. */
  values: ReadonlyMap<string, Value>
  /** The meaning of its operands. */
  operands: Operands
  /** `-20` is a number of lines. */
  hasCount: boolean
  /** None of its flags, known or not, runs or writes anything: an argument that nobody knows does no harm. */
  isTame: boolean
  /** It prints what is in the files, not only about them. */
  isReader: boolean
  /** It goes down into folders, always or with one of these flags. */
  deep: ReadonlySet<string> | 'always'
  /** It also goes where links lead with one of these. */
  follows: ReadonlySet<string>
  /** Without this flag it does more than read. */
  requires: string | null
  /** Without a file it reads what is typed, if nothing comes through a pipe. */
  isFilter: boolean
  /** One of its options, known or not, reads the names of files from a file, and shows those that are not there. */
  hasFileList: boolean
  /** An operand with a plus is an option. */
  hasPlus: boolean
  /** It may be asked for this by a text that looks like an option. */
  isLenient: boolean
}

/**
 * `number`: digits and a unit; `text`: anything that is only looked for or printed; `file`: it is read; `script`: it is
 * run; `names`: a pattern for the files that are read; `word`: a text that cannot be taken for an option; `port`: a
 * connection without the name of a machine, which would be looked up; `columns`: what to tell, but not the environment.
 */
export type Value = 'number' | 'text' | 'file' | 'script' | 'names' | 'word' | 'port' | 'columns'

export type Operands =
  /** Any number of files. */
  | 'files'
  | 'texts'
  /** Files whose names are neither options with a plus nor name a file with more options in it. */
  | 'words'
  | 'none'
  /** The first is a text, unless one of these flags has given it; the rest are files. */
  | { text: readonly string[] }
  /** So many texts at most. */
  | { most: number }
  /** So many files at most: one more would be written. */
  | { files: number }
  /** So many files, and not fewer: the last would be what is typed. */
  | { both: number }
  /** So many numbers at most. */
  | { numbers: number }
  /** Texts that begin with a plus. */
  | 'format'
  /** Letters that choose processes, but not the one that shows their environment; or their numbers. */
  | 'ps'

interface SpecText {
  flags?: string
  /** `-n=number --lines=number`. */
  values?: string
  operands?: Operands
  hasCount?: boolean
  isTame?: boolean
  isReader?: boolean
  /** Flags, or `always`. */
  deep?: string
  follows?: string
  requires?: string
  isFilter?: boolean
  isLenient?: boolean
  hasFileList?: boolean
  hasPlus?: boolean
}

/** Reads a line of a table. Tame unless it says otherwise. */
export function spec({ deep = '', isTame = true, isReader = false, ...text }: SpecText): Spec {
  return {
    flags: new Set(words(text.flags)),
    values: new Map(
      words(text.values).map((each) => {
        const at = each.lastIndexOf('=')
        return [each.slice(0, at), valueOf(each.slice(at + 1))]
      }),
    ),
    operands: text.operands ?? 'files',
    hasCount: text.hasCount ?? false,
    isTame,
    isReader,
    follows: new Set(words(text.follows)),
    requires: text.requires ?? null,
    isFilter: text.isFilter ?? isReader,
    isLenient: text.isLenient ?? false,
    hasFileList: text.hasFileList ?? false,
    hasPlus: text.hasPlus ?? false,
    deep: deep === 'always' ? deep : new Set(words(deep)),
  }
}

function words(text = ''): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

const values: readonly Value[] = ['number', 'file', 'script', 'names', 'word', 'port', 'columns']

function valueOf(text: string): Value {
  return values.find((value) => value === text) ?? 'text'
}

/** Judges a call by its spec: everything in it must be known. */
export function judgeBySpec(
  judging: Judging,
  { name, args, place }: { name: string; args: readonly Argument[]; place: Place },
  rules: Spec,
): readonly Effect[] {
  const call = readCall(name, args, rules)
  if (call.unknown !== null) return [effect('unclear', call.unknown)]
  if (!isAllowed(call, rules))
    return [effect('unclear', `calls ${name} in a way that may do more than read`)]
  const isDeep = goesDeep(call, rules)
  const { files, texts } = filesOf(call, rules, { isDeep, isPiped: place.isPiped })
  const deep = isDeep ? (isSearch(rules) ? shownBy(call, texts[0]) : 'all') : null
  const isHidden = !isSearch(rules) || rules.deep !== 'always' || call.seen.some(isUnhiding)
  const isFollowing = call.seen.some((flag) => rules.follows.has(flag))
  const isTyped =
    [...files, ...call.files].some(isDash) || (rules.isFilter && !isDeep && files.length === 0)
  return [
    ...[...texts, ...call.texts].flatMap((text) => shows(text)),
    ...files.flatMap((file) =>
      touches(judging, file, { place, rules, deep, isHidden, isFollowing }),
    ),
    ...call.files.flatMap((file) => readsFiles(judging, place.cwds, file)),
    ...codesOf(name, call),
    ...(isTyped && !place.isPiped ? [effect('terminal', `waits for what is typed`)] : []),
  ]
}

function isAllowed({ operands, seen }: CallParts, rules: Spec): boolean {
  const isOption = (each: Argument) => each.is === 'text' && each.text.startsWith('+')
  if (rules.hasPlus && operands.some(isOption)) return false
  return (
    isArity(operands, rules.operands) && (rules.requires === null || seen.includes(rules.requires))
  )
}

/** `-u` twice, and the like, search hidden files, too. */
function isUnhiding(flag: string): boolean {
  return /^(?:-u|-\.|--hidden|--unrestricted)$/.test(flag)
}

function isSearch({ isReader, operands }: Spec): boolean {
  return isReader && typeof operands === 'object' && 'text' in operands
}

/** A search that goes down without a folder does so where the shell is. */
function filesOf(
  call: CallParts,
  rules: Spec,
  { isDeep, isPiped }: { isDeep: boolean; isPiped: boolean },
): { files: readonly Argument[]; texts: readonly Argument[] } {
  const { files, texts } = operandsOf(call, rules)
  // A program that always goes down takes what comes through a pipe instead.
  const isFed = isPiped && rules.deep === 'always'
  const isHere = isDeep && files.length === 0 && isSearch(rules) && !isFed
  return { files: isHere ? [{ is: 'text', text: '.' }] : files, texts }
}

/** It goes down into folders; an argument that nobody knows may be a flag that says so. */
function goesDeep({ seen, operands }: CallParts, { deep }: Spec): boolean {
  if (deep === 'always') return true
  const mayBeFlag = deep.size > 0 && operands.some(({ is }) => is === 'unknown')
  return mayBeFlag || seen.some((flag) => deep.has(flag))
}

/** A dash stands for what is typed, or comes through a pipe. */
export function isDash(file: Argument): boolean {
  return file.is === 'text' && file.text === '-'
}

/** A text that is printed or looked for: only a variable may tell a secret. */
export function shows(text: Argument): readonly Effect[] {
  if (text.is === 'odd') return [effect('unclear', `it has ${text.why}`)]
  return text.is === 'unknown' && showsVariable(text) ? [effect('secret', text.why)] : []
}

/** Names that a search found are judged where it stands. */
function isFound(file: Argument): boolean {
  return file.is === 'unknown' && file.isListed === true
}

interface Touched {
  place: Place
  rules: Spec
  deep: Shown | null
  isHidden: boolean
  isFollowing: boolean
}

function touches(
  judging: Judging,
  file: Argument,
  { place, rules, deep, isHidden, isFollowing }: Touched,
): readonly Effect[] {
  // The size or the name of a file is no secret, unless its folder is; what stands in it may be, and a hash tells it, too.
  if (!rules.isReader && (!rules.isFilter || isFound(file)))
    return file.is === 'odd'
      ? [effect('unclear', `it has ${file.why}`)]
      : [...shows(file), ...looksInto(judging, place.cwds, file)]
  if (isDash(file)) return []
  if (deep === null) return readsFiles(judging, place.cwds, file)
  return readsDeep(judging, file, { cwds: place.cwds, shown: deep, isHidden, isFollowing })
}

function operandsOf(
  { operands, seen }: CallParts,
  { operands: wanted }: Spec,
): { files: readonly Argument[]; texts: readonly Argument[] } {
  if (wanted === 'files' || wanted === 'words') return { files: operands, texts: [] }
  if (typeof wanted === 'string' || 'most' in wanted) return { files: [], texts: operands }
  if ('numbers' in wanted) return { files: [], texts: operands }
  if ('files' in wanted || 'both' in wanted) return { files: operands, texts: [] }
  if (wanted.text.some((flag) => seen.includes(flag))) return { files: operands, texts: [] }
  const [first, ...rest] = operands
  // All but the first of several words are files.
  return { files: first && isMany(first) ? operands : rest, texts: operands.slice(0, 1) }
}
