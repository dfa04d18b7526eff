import { effect, type Effect } from '../effect.ts'
import { isDoubled } from '../live/drift.ts'
import type { Argument } from '../syntax/argument.ts'
import { changesListed } from '../writes/listed.ts'
import { changesInPlace } from '../writes/writes-to.ts'
import type { Call } from './call.ts'
import { listsFiles, readsHarmless } from './file-lists.ts'
import { linksListed, splitsLines } from './split-lines.ts'

/** Variables that change nothing but words, colours and the clock. */
const harmless = new Set(
  'NODE_ENV CI LC_ALL LC_CTYPE LC_NUMERIC LC_TIME LC_COLLATE LC_MESSAGES LANG LANGUAGE TZ RUST_BACKTRACE NO_COLOR FORCE_COLOR CLICOLOR COLUMNS LINES CARGO_TERM_COLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE npm_config_loglevel DEBIAN_FRONTEND'.split(
    ' ',
  ),
)
/** Variables that make programs say more. */
const verbose = new Set(['DEBUG', 'LOG_LEVEL', 'RUST_LOG', 'VERBOSE'])
/** A word; for the clock also a region. A path would be opened: a device waits, and a file may hold other words to print. */
const plainValue = /^(?!.*\.\.)(?:[\w.,@+<>-][\w.,:@+<> -]*(?:\/[\w+-]+){0,2})?$/
const pagers = new Set(['PAGER', 'GIT_PAGER', 'MANPAGER', 'SYSTEMD_PAGER'])

/** A variable that is set for one command only. */
export function judgeSetting(name: string, value: Argument | null): readonly Effect[] {
  const text = value?.is === 'text' ? value.text : null
  if (text !== null && isHarmless(name, text)) return []
  // A pattern stays as it is in an assignment.
  if (verbose.has(name) && (text !== null || value?.is === 'pattern'))
    return [effect('minor', `sets ${name} for it, so that it says more`)]
  return [effect('unclear', `sets ${name} for it, which may change what it does`)]
}

function isHarmless(name: string, text: string): boolean {
  if (/^L(?:ANG|C_)/.test(name) && isDoubled(text)) return false
  return harmless.has(name) ? plainValue.test(text) : pagers.has(name) && /^(?:cat)?$/.test(text)
}

/** The command within a wrapper such as `env` or `timeout`, or why it is not understood. */
export type Unwrapped =
  | { is: 'inner'; call: readonly Argument[]; effects: readonly Effect[] }
  | { is: 'odd'; why: string }

const duration = /^\d+(?:\.\d+)?[smhd]?$/

/** Takes one wrapper off; null when there is none. */
export function unwrap(name: string, args: readonly Argument[]): Unwrapped | null {
  switch (name) {
    case 'env':
      return unwrapEnv(args)
    case 'timeout':
      return skip(args, {
        name,
        flags: /^(?:--foreground|-v|--preserve-status)$/,
        values: /^(?:-k|-s|--kill-after|--signal)$/,
        first: duration,
      })
    case 'nice':
      return skip(args, { name, flags: /^-\d+$/, values: /^-n$/, first: null })
    case 'stdbuf':
      return skip(args, { name, flags: /^-[ioe](?:L|0)$/, values: /^-[ioe]$/, first: null })
    case 'time':
      return skip(args, { name, flags: /^-p$/, values: /^$/, first: null })
    default:
      return null
  }
}

function unwrapEnv(args: readonly Argument[]): Unwrapped {
  const effects: Effect[] = []
  for (const [at, arg] of args.entries()) {
    if (arg.is !== 'text') return { is: 'odd', why: 'calls env with something that is computed' }
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(arg.text)
    if (assignment !== null) {
      effects.push(...judgeSetting(assignment[1] ?? '', { is: 'text', text: assignment[2] ?? '' }))
      continue
    }
    if (arg.text.startsWith('-')) return { is: 'odd', why: `calls env with ${arg.text}` }
    return { is: 'inner', call: args.slice(at), effects }
  }
  return { is: 'odd', why: 'prints the whole environment, passwords and keys included' }
}

function skip(
  args: readonly Argument[],
  {
    name,
    flags,
    values,
    first,
  }: { name: string; flags: RegExp; values: RegExp; first: RegExp | null },
): Unwrapped {
  const odd: Unwrapped = { is: 'odd', why: `calls ${name} in an unknown way` }
  const rest = afterOptions(args, { flags, values })
  const [head] = rest ?? []
  if (rest === null || (first !== null && !(head?.is === 'text' && first.test(head.text))))
    return odd
  const call = first === null ? rest : rest.slice(1)
  return call.length === 0 ? odd : { is: 'inner', call, effects: [] }
}

/** The arguments from the first that is no option; null when one of those before it is computed. */
function afterOptions(
  args: readonly Argument[],
  { flags, values }: { flags: RegExp; values: RegExp },
): readonly Argument[] | null {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg?.is !== 'text') return null
    if (flags.test(arg.text)) continue
    if (!values.test(arg.text)) return args.slice(at)
    at += 1
    // Several words may bring the command with them.
    if (args[at]?.is !== 'text') return null
  }
  return []
}

const forXargs = new Set(
  'grep egrep fgrep wc cat head tail ls stat basename dirname sha256sum md5sum sha1sum file du echo rg'.split(
    ' ',
  ),
)

function isInPlace([name, ...rest]: readonly Argument[]): boolean {
  if (name?.is !== 'text' || name.text !== 'sed') return false
  return rest.some((arg) => arg.is === 'text' && /^(?:-[nErsz]*i|--in-place)$/.test(arg.text))
}

/** `xargs` gives its command arguments that nobody knows: only those that no argument makes dangerous. */
export function judgeXargs({ judging, args, place, inner }: Call): readonly Effect[] {
  if (!place.isPiped) return [effect('terminal', 'waits for what is typed')]
  const call = afterOptions(args, {
    flags: /^(?:-0|-r|-t|--null|--no-run-if-empty|-n\d+|-L\d+|-P\d+|-I(?:\{\}|%|@)|-d(?:\\n|\n))$/,
    values: /^-[nLPId]$/,
  })
  if (call === null) return [effect('unclear', 'calls xargs with something that is computed')]
  const [name] = call
  if (args[0] === name && isInPlace(call))
    return [
      // Only whether the name means the program here.
      ...inner([...call.slice(0, 1), { is: 'text', text: '--version' }], place),
      ...changesInPlace({ args: call.slice(1) }, 'listed'),
      ...changesListed({ judging, place }),
    ]
  if (name === undefined) return [effect('unclear', 'prints what comes through a pipe as words')]
  const said = name.is === 'text' ? name.text : 'a program'
  if (name.is !== 'text' || !forXargs.has(name.text))
    return [effect('code', `runs ${said} with arguments that nobody knows yet`)]
  return judgeFed({ judging, place, inner }, call, args.slice(0, args.length - call.length))
}

/** A command of `xargs` with what comes through the pipe in its place. */
function judgeFed(
  { judging, place, inner }: Pick<Call, 'judging' | 'place' | 'inner'>,
  call: readonly Argument[],
  options: readonly Argument[],
): readonly Effect[] {
  const piped = { ...place, isPiped: true }
  const isPlaced = replaced(options)
  if (isPlaced === null) return [effect('unclear', 'calls xargs with a mark that may be anywhere')]
  const line: Argument & { is: 'unknown' } = {
    is: 'unknown',
    why: 'it comes through a pipe',
    isOne: isPlaced !== '',
    isListed: listsFiles(place.before),
  }
  const own = inner(call, piped)
  const filled =
    isPlaced === ''
      ? [...call, line]
      : call.map((each) => (each.is === 'text' && each.text.includes(isPlaced) ? line : each))
  const mayRead = readsHarmless(call, place.before)
  const others = inner(filled, piped).filter(
    ({ kind, reason }) =>
      !(mayRead && kind === 'secret') && !own.some((each) => each.reason === reason),
  )
  const isOpened =
    line.isListed === true && !(call[0]?.is === 'text' && takesNames.test(call[0].text))
  const split = isOpened ? splitsAt(options) : 'names'
  if (split === null) return [effect('unclear', 'has xargs split names in an odd way')]
  return [
    ...own,
    ...others,
    ...(split === 'blanks' ? splitsLines({ judging, place }) : []),
    ...(isOpened && mayRead ? linksListed({ judging, place }) : []),
  ]
}

const takesNames = /^(?:echo|basename|dirname)$/

/** Says whether names may be split within; null where they are at any letter. */
function splitsAt(options: readonly Argument[]): 'names' | 'blanks' | null {
  const words = options.map((each) => (each.is === 'text' ? each.text : ''))
  if (words.some((word, at) => word === '-d' && !/^(?:\\n|\n)$/.test(words[at + 1] ?? '')))
    return null
  return words.some((word) => /^(?:-0|--null)$/.test(word)) ? 'names' : 'blanks'
}

/** The mark that each line takes the place of, or none; null when it is one that also other words have. */
function replaced(options: readonly Argument[]): string | null {
  const words = options.map((each) => (each.is === 'text' ? each.text : ''))
  const at = words.findIndex((word) => word.startsWith('-I'))
  if (at < 0) return ''
  const mark = words[at] === '-I' ? (words[at + 1] ?? '') : (words[at] ?? '').slice(2)
  return /^(?:\{\}|%|@)$/.test(mark) ? mark : null
}
