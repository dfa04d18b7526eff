import { meansSecret, namesSecret } from '../patterns.ts'
import { isSecretPath } from '../secrets.ts'
import { type Argument, isMany } from '../syntax/argument.ts'
import type { Spec, Value } from './spec.ts'

/** A call taken apart: flags, their values, and operands. */
export interface CallParts {
  seen: readonly string[]
  operands: readonly Argument[]
  texts: readonly Argument[]
  files: readonly Argument[]
  scripts: readonly Argument[]
  /** Values with the flags that they are of. */
  given: readonly { flag: string; value: Argument }[]
  /** The reason why the call is not understood. */
  unknown: string | null
}

/** Flags, their values and operands; a flag that is not in the spec makes the whole call unknown. */
export function readCall(name: string, args: readonly Argument[], rules: Spec): CallParts {
  const reader = new CallReader(rules)
  let unknown: string | null = null
  for (let rest = args; rest.length > 0 && unknown === null;) {
    const taken = reader.take(rest)
    if (typeof taken === 'string') unknown = `calls ${name} with ${taken}`
    else rest = rest.slice(taken)
  }
  return { ...reader.parts, unknown }
}

/** Takes a call apart from left to right. */
class CallReader {
  readonly parts = {
    seen: new Array<string>(),
    operands: new Array<Argument>(),
    texts: new Array<Argument>(),
    files: new Array<Argument>(),
    scripts: new Array<Argument>(),
    given: new Array<{ flag: string; value: Argument }>(),
  }
  /** After `--` everything is an operand. */
  private isOver = false
  private readonly rules: Spec

  constructor(rules: Spec) {
    this.rules = rules
  }

  /** The number of arguments that were taken; or a text that is not understood. */
  take([arg, next]: readonly Argument[]): number | string {
    if (arg === undefined) return 1
    if (arg.is === 'odd') return arg.why
    if (this.isOver) return this.operand(arg)
    if (arg.is === 'text') return this.word(arg, next)
    return this.isSafe(arg) ? this.operand(arg) : 'an argument that may be an option'
  }

  private isSafe(arg: Argument): boolean {
    const { isTame, hasFileList } = this.rules
    const isListed = arg.is !== 'unknown' || arg.isListed === true
    return (isTame || !mayBeFlag(arg)) && (!hasFileList || isListed)
  }

  private word(arg: Argument & { is: 'text' }, next: Argument | undefined): number | string {
    const { text } = arg
    if (text === '-' || !text.startsWith('-')) return this.operand(arg)
    if (text === '--') {
      this.isOver = true
      return 1
    }
    if (this.rules.hasCount && /^-\d+$/.test(text)) {
      this.parts.seen.push('-NUM')
      this.parts.texts.push({ is: 'text', text: text.slice(1) })
      return 1
    }
    const read = readFlag(text, this.rules)
    if (read !== null) return this.flag(read, { text, next })
    if (this.rules.isLenient) return this.operand(arg)
    return `${text}, which is not on the list of options that only read`
  }

  private operand(arg: Argument): number {
    this.parts.operands.push(arg)
    return 1
  }

  private flag(
    { flags, takes, value: joined }: FlagRead,
    { text, next }: { text: string; next: Argument | undefined },
  ): number | string {
    this.parts.seen.push(...flags)
    if (takes === null) return 1
    const value = joined ?? next
    if (value === undefined) return `${text} and nothing after it`
    if (value.is === 'odd') return value.why
    const why = oddValue(value, takes) ?? this.manyWords(value)
    if (why !== null) return `${text} and ${why}`
    const { files, scripts, texts, given } = this.parts
    given.push({ flag: flags.at(-1) ?? text, value })
    const place = takes === 'file' ? files : takes === 'script' ? scripts : texts
    place.push(value)
    return joined === null ? 2 : 1
  }

  /** All but the first of several words would be taken for something else. */
  private manyWords(value: Argument): string | null {
    const isHarmless = this.rules.isTame && !this.rules.isReader
    return isMany(value) && !isHarmless ? 'what may be several words' : null
  }
}

function oddValue(value: Argument, takes: Value): string | null {
  if (takes === 'number' && !isNumber(value)) return 'no number'
  if (takes === 'word' && !isWord(value)) return 'another option'
  if (takes === 'port' && !isPort(value)) return 'what may be the name of a machine'
  if (takes === 'columns' && !isColumns(value)) return 'a column that may be the environment'
  return takes === 'names' && mayNameSecret(value)
    ? 'a pattern that means hidden files or secrets'
    : null
}

/** A text that cannot be taken for an option, nor for a file with more options in it. */
export function isWord(value: Argument): boolean {
  return value.is === 'text' && !/^[-+@]/.test(value.text)
}

function isNumber(value: Argument): boolean {
  return value.is === 'text' && /^[+-]?\d+[a-zA-Z%]{0,3}$/.test(value.text)
}

function isPort(value: Argument): boolean {
  return value.is === 'text' && /^[46]?(?:tcp|udp)?(?::[\w,-]+)?$/i.test(value.text)
}

function isColumns(value: Argument): boolean {
  return value.is === 'text' && /^[\w,:=%+ -]*$/.test(value.text) && !/environ/i.test(value.text)
}

/** `--include=.env*`. */
function mayNameSecret(value: Argument): boolean {
  // A file that is left out is not read.
  if (value.is === 'text')
    return (
      !value.text.startsWith('!') &&
      (/^!?(?:.*\/)?\.(?![a-z]+\/)|^!?\*$/.test(value.text) ||
        isSecretPath(value.text.replaceAll('*', '')) ||
        meansSecret(value.text))
    )
  return value.is !== 'pattern' || namesSecret(value.pattern) !== null
}

/** An argument that nobody knows, or a file's name that a pattern finds, may begin with a dash. */
function mayBeFlag(arg: Argument): boolean {
  if (arg.is !== 'pattern') return true
  const [first] = arg.pattern
  return first === undefined || 'glob' in first || first.text === '' || first.text.startsWith('-')
}

interface FlagRead {
  flags: readonly string[]
  takes: Value | null
  /** A value that stands in the same word. */
  value: Argument | null
}

function readFlag(text: string, { flags, values }: Spec): FlagRead | null {
  if (flags.has(text)) return { flags: [text], takes: null, value: null }
  const whole = values.get(text)
  if (whole !== undefined) return { flags: [text], takes: whole, value: null }
  if (text.startsWith('--')) {
    const at = text.indexOf('=')
    const name = text.slice(0, at)
    const takes =
      at < 0 ? undefined : (values.get(name) ?? (flags.has(`${name}=`) ? 'text' : undefined))
    return takes === undefined
      ? null
      : { flags: [name], takes, value: { is: 'text', text: text.slice(at + 1) } }
  }
  return readJoined(text, { flags, values })
}

/** `-la`, `-n5`, `-A3`: letters, of which the last may have its value behind it. */
function readJoined(
  text: string,
  { flags, values }: Pick<Spec, 'flags' | 'values'>,
): FlagRead | null {
  const seen: string[] = []
  for (let at = 1; at < text.length; at++) {
    const flag = `-${text[at]}`
    seen.push(flag)
    const takes = values.get(flag)
    if (takes !== undefined) {
      const rest = text.slice(at + 1)
      return { flags: seen, takes, value: rest === '' ? null : { is: 'text', text: rest } }
    }
    if (!flags.has(flag)) return null
  }
  return { flags: seen, takes: null, value: null }
}
