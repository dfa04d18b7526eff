import { effect, type Effect } from '../effect.ts'
import { acts } from '../programs/codes.ts'
import { awkCode } from '../syntax/awk-code.ts'

// A bracket with the mark of the end in it is read in two ways: some seds see the end there.
const pattern = (mark: string) =>
  String.raw`(?:[^${mark}\[\\\n]|\\[^\n]|\[\^?\]?(?:\[:[a-z]+:\]|[^${mark}\[\]\\\n]|\\[^${mark}\]\n])*\])*`
const address = String.raw`(?:\d+(?:~\d+)?|\$|/${pattern('/')}/I?)`
const range = String.raw`(?:${address}(?:,(?:${address}|[+~]\d+))?)?\s*!?\s*`
const substitute = (mark: string, escaped: string) =>
  String.raw`s${mark}${pattern(mark)}${mark}(?:[^${mark}\\\n]|\\${escaped})*${mark}[gIip\d]*`
/** A command; what may follow a backslash in the text that it puts in is told. */
const sedLineWith = (escaped: string) => {
  const command = [
    String.raw`[pdqQ=nlhHgGxN]\d*`,
    String.raw`y/[^/\\\n]*/[^/\\\n]*/`,
    // A text to the end of the line, which is put in as it is.
    String.raw`[aic]\s+[^\s\\][^\\\n]*`,
    ...['/', '\\|', '#', ',', '@', '!', ':', '%'].map((mark) => substitute(mark, escaped)),
  ].join('|')
  return new RegExp(String.raw`^\s*${range}(?:${command})\s*$`)
}
const anySedLine = sedLineWith(String.raw`[^\n]`)
/** None of the letters that a terminal acts on. */
const sedLine = sedLineWith(String.raw`[^\nacdforvx]`)
const sedGroup = new RegExp(String.raw`^\s*${range}\{((?:[^{}\\]|\\.)*)\}\s*$`)

/** A script of sed that only prints, deletes lines of its output and substitutes: none that reads, writes or runs. */
export function judgeSedScript(script: string): readonly Effect[] {
  if (isSed(script, sedLine)) return []
  return isSed(script, anySedLine)
    ? [acts]
    : [effect('code', 'runs a sed script that may read, write or run something')]
}

function isSed(script: string, line: RegExp, depth = 0): boolean {
  if (depth > 4 || script.length > 2_000) return false
  if (line.test(script)) return true
  const group = sedGroup.exec(script)
  if (group !== null) return isSed(group[1] ?? '', line, depth + 1)
  const parts = splitSed(script)
  return (
    parts.length > 1 && parts.every((part) => part.trim() === '' || isSed(part, line, depth + 1))
  )
}

/** At `;` and line ends that stand in no pattern and no group. */
function splitSed(script: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  let depth = 0
  for (const { index, 0: found } of script.matchAll(
    /\\.|y\/[^/\\\n]*\/[^/\\\n]*\/|s([/|#,@!:%])(?:(?!\1)(?:[^\\\n]|\\.))*\1(?:(?!\1)(?:[^\\\n]|\\.))*\1|\/(?:[^/\\\n]|\\.)*\/|[;{}\n]/g,
  )) {
    if (found === '{') depth += 1
    else if (found === '}') depth -= 1
    else if ((found === ';' || found === '\n') && depth === 0) {
      parts.push(script.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, script.slice(from)]
}

/** Words and signs of awk that run, read or write something, wherever they stand outside texts and patterns. */
const awkOdd =
  /(?<![A-Za-z_])(?:system|getline|close|fflush|ENVIRON|PROCINFO|ARGV|SYMTAB|FUNCTAB|function|func|include|load|eval)\b|@|>>|(?<!\|)\|(?!\|)/
/** A greater-than is a redirection after a `print`. */
const awkWrites = /(?<![A-Za-z_])printf?\b[^]*>(?!=)/

/** Between brackets it compares. */
const awkPrinted = /((?<![A-Za-z_])printf?)\s*\((?:[^()]|\([^()]*\))*\)/g

/** A loop that counts up or down to something that is no large number. */
const awkCount =
  /\bfor\s*\(\s*(\w+)\s*=[^;=][^;]*;\s*\1\s*(?:<=?|>=?)\s*(?:[A-Za-z_]\w*(?:\[\w+\])?|\d{1,6}|length\(\$?\w*\))\s*;\s*(?:\1(?:\+\+|--)|(?:\+\+|--)\1|\1\+=\d+)\s*\)/g

/** It has a loop that may never end. */
function isEndless(script: string): boolean {
  const counters = [...script.matchAll(awkCount)].map(([, name = '']) => name)
  const rest = script.replaceAll(awkCount, '')
  return (
    /(?<![A-Za-z_])(?:while|do)\b|(?<![A-Za-z_])for\s*\((?!\s*\w+\s+in\s+\w+\s*\))/.test(rest) ||
    counters.some((name) =>
      new RegExp(`\\b${name}\\s*(?:[-+*/%^]?=(?!=)|\\+\\+|--)|(?:\\+\\+|--)${name}\\b`).test(rest),
    )
  )
}

/** Letters that a terminal acts on; a backslash of its own is none. */
const awkCodes = /\\(?:[0-7]|x[0-9a-fA-F]|[abefv])|%[-+ #\d.*]*c/
const jqCodes = /\\(?:u00[01189][0-9a-f]|u007f|[bf])|\bimplode\b|@urid\b/i

export const hasAwkCodes = (text: string) => hasCodes(text, awkCodes)

const hasCodes = (script: string, codes: RegExp) => codes.test(script.replaceAll('\\\\', ''))

/** An awk program that only looks at its lines and prints. */
export function judgeAwkScript(script: string): readonly Effect[] {
  if (isEndless(script)) return [effect('terminal', 'runs an awk program that may never end')]
  if (hasCodes(script, awkCodes)) return [acts]
  const code = awkCode(script) ?? script
  const isKnown =
    script.length <= 4_000 &&
    !awkOdd.test(code) &&
    !awkWrites.test(code.replaceAll(awkPrinted, '$1')) &&
    !/\\\n/.test(script)
  return isKnown
    ? []
    : [effect('code', 'runs an awk program that may read, write or run something')]
}

/** A number that is short, or the length of something. */
const jqEnd = String.raw`\s*(?:\d{1,6}|[.\w]*\s*\|?\s*length)\s*`
const jqRange = new RegExp(String.raw`\brange\s*\(${jqEnd}(?:;${jqEnd}(?:;\s*[1-9]\d{0,5}\s*)?)?\)`)
/** A walk down a value ends. */
const jqLoops =
  /\b(?:repeat|until|while|infinite|def|range)\b|\brecurse(?:_down)?(?!\s*\(\s*\.[\w.]*\[\]\??\s*\)|\b(?!\s*\())/

/** A filter of jq: it has no way to write or run, but it may see the environment and load modules. */
export function judgeJqFilter(filter: string): readonly Effect[] {
  // A second range, for each of the first, may take days.
  if (jqLoops.test(filter.replace(jqRange, '')))
    return [effect('terminal', 'runs a jq filter that may never end')]
  // A text that is read once more has its backslashes twice.
  if (hasCodes(filter, jqCodes) || /\\u00[01189]/i.test(filter)) return [acts]
  return /\bENV\b|\benv\b|\binput_filename\b|\binclude\b|\bimport\b|\$__prog|\bdebug\b|\bstderr\b|\bgetpath\/|\bmodulemeta\b|\bget_search_list\b/.test(
    filter,
  )
    ? [effect('code', 'runs a jq filter that sees more than its input')]
    : []
}
