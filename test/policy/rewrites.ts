import { type Command, forEachChild, parse, type SyntaxNode, type Word } from 'unbash'

type Reword = (text: string) => string
/** The same command said in other words; null where it cannot be said so. */
type Rewrite = (command: string) => string | null

/** Other words around it. */
const frames: readonly Rewrite[] = [
  (command) => `  ${command}`,
  (command) => `${command}\n`,
  (command) => `{ ${command}\n}`,
  (command) => `( ${command}\n)`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `true && { ${command}\n}`,
  (command) => `! { ${command}\n}`,
  (command) => `LC_ALL=C true; ${command}`,
  (command) => `for zz in 1; do ${command}\ndone`,
  (command) => `case a in a) ${command}\n;; esac`,
]

/** Other quotes for the name of a program: each is the same word to a shell without aliases. */
const namings: readonly Reword[] = [
  (name) => `'${name}'`,
  (name) => `"${name}"`,
  (name) => `${name[0]}"${name.slice(1)}"`,
  (name) => `${name.slice(0, -1)}''${name.slice(-1)}`,
  (name) => `\\${name}`,
  (name) => `$'${name}'`,
  (name) => `${name[0]}\\\n${name.slice(1)}`,
]
const names: readonly Rewrite[] = namings.map((reword) => inEach(nameOf, reword))

/** Other quotes for its arguments, and other blanks between them. */
const words: readonly Rewrite[] = [
  inEach(argumentsOf, (word) => `'${word}'`),
  inEach(argumentsOf, (word) => `"${word}"`),
  inEach(argumentsOf, (word) => `${word[0]}'${word.slice(1)}'`),
  inEach(blanksOf, () => '  \t '),
  inEach(blanksOf, () => ' \\\n  '),
]

export const rewrites: readonly Rewrite[] = [...frames, ...names, ...words]

interface Piece {
  from: number
  to: number
}

/** Rewrites every piece of a command that is found so. */
function inEach(
  find: (command: Command, source: string) => readonly Piece[],
  rewrite: Reword,
): Rewrite {
  return (source) => {
    const script = parse(source)
    if ((script.errors?.length ?? 0) > 0) return null
    const pieces = commandsIn(script, source)
      .flatMap((command) => find(command, source))
      .toSorted((one, other) => other.from - one.from)
    if (pieces.length === 0) return null
    return pieces.reduce(
      (text, { from, to }) =>
        `${text.slice(0, from)}${rewrite(source.slice(from, to))}${text.slice(to)}`,
      source,
    )
  }
}

/** The simple commands whose words stand in the source as they are. */
function commandsIn(node: SyntaxNode, source: string): readonly Command[] {
  if ('source' in node && node.source !== undefined && node.source !== source) return []
  const found: Command[] = node.type === 'Command' ? [node] : []
  forEachChild(node, (child) => found.push(...commandsIn(child, source)))
  return found
}

const isPlain = (word: Word, source: string) =>
  /^[\w./-]+$/.test(word.text) && source.slice(word.pos, word.end) === word.text

/** Builtins that take assignments have a grammar of their own. */
const declaring = /^(?:export|declare|typeset|local|readonly|alias|eval|let)$/

function nameOf({ name }: Command, source: string): readonly Piece[] {
  const isName = name !== undefined && name.text.length > 1 && !declaring.test(name.text)
  return isName && isPlain(name, source) && /^[a-z]/.test(name.text)
    ? [{ from: name.pos, to: name.end }]
    : []
}

function argumentsOf({ name, args }: Command, source: string): readonly Piece[] {
  if (name === undefined || declaring.test(name.text)) return []
  return args.flatMap((word) =>
    word.type === 'Word' && isPlain(word, source) ? [{ from: word.pos, to: word.end }] : [],
  )
}

function blanksOf({ name, args }: Command, source: string): readonly Piece[] {
  const ends = [name, ...args].flatMap((word) => (word === undefined ? [] : [word]))
  return ends.slice(1).flatMap((word, at) => {
    const from = ends[at]?.end ?? 0
    return /^[ \t]+$/.test(source.slice(from, word.pos)) ? [{ from, to: word.pos }] : []
  })
}
