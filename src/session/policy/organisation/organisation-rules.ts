import { ApprovalMode } from '../../../protocol/events/approval-mode.ts'
import type { CallRule, Organisation } from '../../../protocol/organisation.ts'
import { effect, type Effect } from '../effect.ts'
import { callsIn, type ReadCall } from './calls-in.ts'

const says = 'the rules of your organisation'

/** The reasons why an organisation forbids a command, whatever else is said about it. */
export function forbidden(
  command: string,
  organisation: Organisation | null,
  aliases: ReadonlyMap<string, string> = new Map(),
): readonly string[] {
  return reasonsOf(command, organisation?.deny, aliases).map(
    (reason) => `${says} forbid it: ${reason}`,
  )
}

/** The effects for which an organisation wants a person to be asked. */
export function ordered(
  command: string,
  organisation: Organisation | null,
  aliases: ReadonlyMap<string, string> = new Map(),
): readonly Effect[] {
  return reasonsOf(command, organisation?.ask, aliases).map((reason) =>
    effect('ordered', `${says} ask for it: ${reason}`),
  )
}

/** The mode that counts: the organisation's, where a session's is wider. */
export function boundMode(mode: ApprovalMode, organisation: Organisation | null): ApprovalMode {
  const most = organisation?.maxMode?.mode
  return most !== undefined && isWider(mode, most) ? most : mode
}

/** The reason why a session may not be in a mode; null when it may. */
export function modeForbidden(
  mode: ApprovalMode,
  organisation: Organisation | null,
): string | null {
  return boundMode(mode, organisation) === mode ? null : (organisation?.maxMode?.reason ?? '')
}

function isWider(mode: ApprovalMode, other: ApprovalMode): boolean {
  const { options } = ApprovalMode
  return options.indexOf(mode) > options.indexOf(other)
}

function reasonsOf(
  command: string,
  rules: readonly CallRule[] | undefined,
  aliases: ReadonlyMap<string, string>,
): readonly string[] {
  if (rules === undefined || rules.length === 0) return []
  const read = callsIn(command)
  const aliased = read.calls.map((call) => behind(call, aliases))
  const calls = [...read.calls, ...aliased.flatMap((each) => each.calls)]
  const met = rules.filter((rule) => calls.some((call) => meets(rule, call)))
  // The rest, which nobody read, may meet any of them.
  const isWhole = read.isWhole && aliased.every((each) => each.isWhole)
  return [...met.map(({ reason }) => reason), ...(isWhole ? [] : ['it cannot be read whole'])]
}

/** The calls that an alias makes of one. */
function behind(
  { program, words }: ReadCall,
  aliases: ReadonlyMap<string, string>,
): ReturnType<typeof callsIn> {
  const text = aliases.get(program)
  if (text === undefined) return { calls: [], isWhole: true }
  const { calls, isWhole } = callsIn(text)
  return { calls: calls.map((call) => ({ ...call, words: [...call.words, ...words] })), isWhole }
}

/** Says whether a rule is about a call; a word that nobody knows meets no pattern. */
export function meets({ program, words = [], contains = [] }: CallRule, call: ReadCall): boolean {
  return (
    isMet(program, call.program) &&
    beginningsOf(call.words).some((own) => words.every((pattern, at) => isMet(pattern, own[at]))) &&
    contains.every((pattern) => call.words.some((word) => isMet(pattern, word)))
  )
}

function isMet(pattern: string, word: string | null | undefined): boolean {
  return typeof word === 'string' && asPattern(pattern).test(word)
}

/** Behind options, of which some take a value, the first words may be any. */
function beginningsOf(words: ReadCall['words']): readonly ReadCall['words'][] {
  const isOption = words[0]?.startsWith('-') ?? true
  return isOption ? [words, ...words.map((_, at) => words.slice(at + 1))] : [words]
}

function asPattern(pattern: string): RegExp {
  const source = pattern
    .split('*')
    .map((text) => text.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('[^]*')
  return new RegExp(`^${source}$`)
}
