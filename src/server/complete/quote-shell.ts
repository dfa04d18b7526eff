import type { ShellName } from '../../protocol/shell.ts'
import { escapeOf, isTreacherous } from './show-name.ts'

/** Of these no shell makes anything. */
const plain = /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{N}_@%+:,./=-]*$/u

/** A word that the shell reads as exactly this text. */
export function quoteShell(word: string, shell: ShellName): string {
  if (plain.test(word)) return word
  if (shell === 'fish') return isTreacherous(word) ? fishEscapes(word) : fishQuotes(word)
  if (isTreacherous(word)) return ansiQuotes(word)
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The same for a path that begins in somebody’s home: its `~` must stay bare. */
export function quotePath(path: string, shell: ShellName, hasTilde: boolean): string {
  const home = hasTilde ? (/^~[^/]*\//.exec(path)?.[0] ?? '') : ''
  const rest = path.slice(home.length)
  return rest === '' ? home : home + quoteShell(rest, shell)
}

function ansiQuotes(word: string): string {
  // Each escape ends by itself: what follows a hexadecimal one must not be taken for its next digit.
  const body = word.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}'\\]/gu, (char) =>
    char === "'" || char === '\\' ? `\\${char}` : escapeOf(char),
  )
  return `$'${body}'`
}

function fishQuotes(word: string): string {
  return `'${word.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}

/** Outside quotes fish knows escapes: all that is not plain is written as one. */
function fishEscapes(word: string): string {
  return word.replaceAll(/[^\p{L}\p{N}_./-]/gu, (char) =>
    isTreacherous(char) ? escapeOf(char) : `\\${char}`,
  )
}
