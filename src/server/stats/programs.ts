import { simpleCommands, type Word } from './shell-words.ts'

/**
 * The programs that a command line runs, by the first word of each of its simple commands: names without
 * folders. An argument must never be taken for one, so what is not surely a program is not named.
 */
export function programsIn(command: string): readonly string[] {
  return simpleCommands(command).flatMap((words) => programOf(words) ?? [])
}

/** Words of a shell's own; a command may follow. */
const keywords = new Set(
  '! if then else elif fi do done while until time { } and or not begin end esac'.split(' '),
)
/** After these names and values follow, no command. */
const openers = new Set(['for', 'select', 'function', 'in'])

interface Wrapper {
  /** Options without a value, alone or together. */
  flags: RegExp
  /** Options whose value is the next word. */
  valued: RegExp
  /** Takes variables before the command. */
  assigns: boolean
}

const none = /^$/

/** Programs that run the one named behind their own options. An option that is not known ends the search. */
const wrappers = new Map<string, Wrapper>([
  ['sudo', { flags: /^(?:-[EHnSkbisAPB]+|--)$/, valued: /^-[ugpCDRTh]$/, assigns: true }],
  ['doas', { flags: /^-[ns]+$/, valued: /^-[uC]$/, assigns: false }],
  ['env', { flags: /^(?:-[i0v]+|--)$/, valued: /^-[uC]$/, assigns: true }],
  ['nice', { flags: none, valued: /^-n$/, assigns: false }],
  ['exec', { flags: /^-[cl]+$/, valued: /^-a$/, assigns: false }],
  ['command', { flags: /^-p$/, valued: none, assigns: false }],
  ['builtin', { flags: none, valued: none, assigns: false }],
  ['nohup', { flags: none, valued: none, assigns: false }],
])

const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/

/** Null when it has none, or one that cannot be told. */
function programOf(words: readonly Word[]): string | null {
  const start = words.findIndex((word) => !isKeyword(word) && !assignment.test(word.text))
  const first = words[start]
  if (first === undefined || isOpener(first)) return null
  return named(words.slice(start))
}

const isKeyword = ({ text, isQuoted }: Word) => !isQuoted && keywords.has(text)
const isOpener = ({ text, isQuoted }: Word) => !isQuoted && openers.has(text)

function named([word, ...rest]: readonly Word[]): string | null {
  const name = word === undefined || word.isDoubtful ? null : nameOf(word.text)
  const wrapper = name === null ? undefined : wrappers.get(name)
  if (wrapper === undefined) return name
  const behind = afterOptions(rest, wrapper)
  return (behind && named(behind)) ?? name
}

/** The command that a wrapper runs; null where that is not clear. */
function afterOptions(words: readonly Word[], wrapper: Wrapper): readonly Word[] | null {
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? ''
    if (wrapper.assigns && assignment.test(text)) continue
    if (!text.startsWith('-')) return words.slice(at)
    if (wrapper.valued.test(text)) at += 1
    else if (!wrapper.flags.test(text)) return null
  }
  return null
}

const programName = /^(?:\[|[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39})$/

function nameOf(word: string): string | null {
  const base = word.slice(word.lastIndexOf('/') + 1)
  return programName.test(base) ? base : null
}
