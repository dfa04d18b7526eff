/** The pieces of an awk program, of which a slash begins a pattern or divides by what stands before it. */
const pieces = {
  text: /"(?:[^"\\\n]|\\[^\n])*"/y,
  // A slash between brackets ends the pattern for some readers and not for others.
  pattern: /\/(?:[^/\\[\n]|\\[^\n]|\[\^?\]?[^\]/\\\n]*\])+\//y,
  comment: /#[^\n]*/y,
  word: /[A-Za-z_]\w*|\d[\w.]*|\.\d\w*/y,
  step: /\+\+|--/y,
}

/** Words after which no value stands yet. */
const openers = new Set('print printf return in else do case exit delete'.split(' '))
/** Words that may be values themselves, and may take what follows. */
const unsure = new Set('length getline next nextfile continue break BEGIN END'.split(' '))

/** What stands before a slash: a value, so that it divides; nothing, so that it begins a pattern; or nobody can say. */
type Before = 'value' | 'nothing' | 'unsure'

/** An awk program without its texts, patterns and comments: what is left is code. Null when nobody can say which is which. */
export function awkCode(script: string): string | null {
  let code = ''
  let before: Before = 'nothing'
  for (let at = 0; at < script.length;) {
    const found = pieceAt(script, at, before)
    if (found === null) return null
    code += found.code
    before = found.before
    at += found.length
  }
  return code
}

interface Piece {
  code: string
  length: number
  before: Before
}

function pieceAt(script: string, at: number, before: Before): Piece | null {
  const take = (piece: RegExp) => {
    piece.lastIndex = at
    return piece.exec(script)?.[0] ?? null
  }
  const letter = script[at] ?? ''
  if (letter === '"') return blank(take(pieces.text), '""', 'value')
  if (letter === '#') return blank(take(pieces.comment), '', before)
  if (letter === '/' && before === 'unsure') return null
  if (letter === '/' && before === 'nothing') return blank(take(pieces.pattern), '0', 'value')
  const word = take(pieces.word)
  if (word !== null) return { code: word, length: word.length, before: afterWord(word) }
  const step = take(pieces.step)
  if (step !== null) return { code: step, length: step.length, before: 'unsure' }
  return { code: letter, length: 1, before: afterSign(letter, before) }
}

function blank(found: string | null, code: string, before: Before): Piece | null {
  return found === null ? null : { code, length: found.length, before }
}

function afterWord(word: string): Before {
  if (openers.has(word)) return 'nothing'
  return unsure.has(word) ? 'unsure' : 'value'
}

function afterSign(sign: string, before: Before): Before {
  if (sign === ' ' || sign === '\t') return before
  if (sign === ')') return 'unsure'
  return sign === ']' ? 'value' : 'nothing'
}
