import type { Assignment, Redirection, TestExpression, Word, WordPart } from 'unbash'
import { effect, type Effect } from '../effect.ts'
import { argumentsOf, isPrintable, showsVariable } from './argument.ts'
import { deeper, known, type Place, unclear, type Walk } from './place.ts'
import { isPlainSum } from './word.ts'

/** The commands within a word. */
export function insideWord(walk: Walk, { parts }: Word, place: Place): readonly Effect[] {
  return (parts ?? []).flatMap((part) => insidePart(walk, part, place))
}

export function insideAssignment(
  walk: Walk,
  { value, index }: Assignment,
  place: Place,
): readonly Effect[] {
  const words = [...(value.type === 'Word' ? [value] : value.elements), ...(index ? [index] : [])]
  return words.flatMap((word) => insideWord(walk, word, place))
}

export function insideRedirection(
  walk: Walk,
  redirection: Redirection,
  place: Place,
): readonly Effect[] {
  if (redirection.type !== 'HereDoc')
    return redirection.target === undefined
      ? [unclear('a redirection leads nowhere')]
      : insideWord(walk, redirection.target, place)
  if (redirection.closing === undefined) return [unclear('its text has no end')]
  const parts = redirection.body.parts ?? []
  return parts.flatMap((part) => [...insidePart(walk, part, place), ...variableIn(part, place)])
}

/** A text that is read by a program shows the variables in it. */
function variableIn(part: WordPart, { loops }: Place): readonly Effect[] {
  if (part.type !== 'SimpleExpansion' && part.type !== 'ParameterExpansion') return []
  const name = /^\$\{?(\w+)\}?$/.exec(part.text)?.[1]
  if (name === undefined || loops.has(name) || isPrintable(name)) return []
  return [effect('secret', `the variable $${name} may hold a secret`)]
}

function insidePart(walk: Walk, part: WordPart, place: Place): readonly Effect[] {
  switch (part.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return insideCommand(walk, part, place)
    case 'DoubleQuoted':
      return part.parts.flatMap((child) => insidePart(walk, child, place))
    case 'AnsiCQuoted':
      return place.isPosix === true ? [unclear('has quotes that sh does not know')] : []
    case 'Literal':
    case 'SingleQuoted':
    case 'Glob':
    case 'SimpleExpansion':
      return []
    case 'ParameterExpansion':
      return part.text === `\${${part.parameter}}`
        ? []
        : [unclear(`changes a variable as it reads it: ${part.text}`)]
    case 'BraceExpansion':
      // They are letters like others there, and a program may read more from them than from the words they become here.
      if (place.isPosix === true) return [unclear('has braces that sh does not know')]
      return /[$`]/.test(part.text) ? [unclear('has braces that are hard to read')] : []
    case 'ArithmeticExpansion':
      return isPlainSum(part.text)
        ? []
        : [unclear('calculates, and in a shell that may run commands')]
    case 'ExtendedGlob':
    case 'LocaleString':
      return [unclear('has a word that is hard to read')]
    default:
      part satisfies never
      return [unclear('has a word that is not known')]
  }
}

function insideCommand(
  walk: Walk,
  part: WordPart & { type: 'CommandExpansion' | 'ProcessSubstitution' },
  place: Place,
): readonly Effect[] {
  const { script } = part
  if (script === undefined) return [unclear('a command within it cannot be read')]
  // Between backquotes a text is decoded first: positions are those of the decoded one.
  const own = { ...walk, source: script.source ?? walk.source }
  const { effects } = walk.enter(own, script, { ...deeper(place), isPiped: false })
  const isInto = part.type === 'ProcessSubstitution' && part.operator === '>'
  return isInto ? [...effects, unclear('sends its output into another command')] : effects
}

/** `[[ … ]]`: tests of files and texts; those of numbers and variables may run a command. */
export function insideTest(
  walk: Walk,
  expression: TestExpression,
  place: Place,
): readonly Effect[] {
  switch (expression.type) {
    case 'TestLogical':
      return expression.operands.flatMap((operand) => insideTest(walk, operand, place))
    case 'TestNot':
      return insideTest(walk, expression.operand, place)
    case 'TestGroup':
      return insideTest(walk, expression.expression, place)
    case 'TestUnary':
      return /^-[abcdefghknoprstuwxzGLNOS]$/.test(expression.operator)
        ? tested(walk, [expression.operand], place)
        : [unclear('tests something that may run a command')]
    case 'TestBinary':
      return /^(?:==?|!=|-nt|-ot|-ef)$/.test(expression.operator)
        ? tested(walk, [expression.left, expression.right], place)
        : [unclear('compares in a way that may run a command')]
    default:
      expression satisfies never
      return [unclear('tests something unknown')]
  }
}

/** A compared value can be guessed letter by letter. */
export function tested(walk: Walk, words: readonly Word[], place: Place): readonly Effect[] {
  const found = words
    .flatMap((word) => argumentsOf(word, known(place)))
    .flatMap((argument): Effect[] => {
      if (argument.is === 'odd') return [unclear(`it has ${argument.why}`)]
      const isHidden = argument.is === 'unknown' && showsVariable(argument)
      return isHidden ? [effect('secret', argument.why)] : []
    })
  return [...found, ...words.flatMap((word) => insideWord(walk, word, place))]
}
