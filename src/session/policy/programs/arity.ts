import type { Argument } from '../syntax/argument.ts'
import { isWord } from './read-call.ts'
import type { Operands } from './spec.ts'

/** Says whether operands are as many, and of the kind, that a program may have. */
export function isArity(operands: readonly Argument[], wanted: Operands): boolean {
  if (wanted === 'none') return operands.length === 0
  if (wanted === 'format')
    return operands.every((each) => each.is === 'text' && each.text.startsWith('+'))
  if (wanted === 'ps')
    return operands.every((each) => each.is === 'text' && /^(?:[auxwfjl]+|\d+)$/.test(each.text))
  if (wanted === 'words') return operands.every(isWord)
  if (typeof wanted === 'string' || 'text' in wanted) return true
  if ('both' in wanted) return operands.length === wanted.both
  if ('numbers' in wanted) return operands.length <= wanted.numbers && isShortList(operands)
  const most = 'most' in wanted ? wanted.most : wanted.files
  // A pattern, or what a command prints, may be any number of words.
  return operands.length <= most && operands.every(({ is }) => is === 'text')
}

/** Numbers from a first to a last that come to an end soon. */
function isShortList(operands: readonly Argument[]): boolean {
  if (!operands.every((each) => each.is === 'text' && /^-?\d+(?:\.\d+)?$/.test(each.text)))
    return false
  const numbers = operands.map((each) => (each.is === 'text' ? Number(each.text) : 0))
  const first = numbers.length > 1 ? (numbers[0] ?? 1) : 1
  const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1
  return Math.abs(((numbers.at(-1) ?? 0) - first) / step) <= 1e6
}
