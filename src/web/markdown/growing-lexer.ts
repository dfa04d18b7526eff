import { Lexer, type Token, type TokensList } from 'marked'

export interface Lexed {
  source: string
  /** Tokens that more text leaves as they are keep their identity, and so are not drawn again. */
  tokens: readonly Token[]
}

export const nothingLexed: Lexed = { source: '', tokens: [] }

/** Nobody writes such a paragraph; to look for marks in a line of Base64 takes the square of its length. */
const longestText = 5_000
/** Nor quotes in quotes so deep; a browser that has to draw thousands of them answers nothing else. */
const deepest = 16

/** As Markdown, but what is too long or too deep to be prose stays plain. The library asks for a class. */
class PatientLexer extends Lexer {
  #depth = 0

  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[]
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList
  override blockTokens(src: string, tokens: Token[] = [], isClipped = false): Token[] {
    return this.#deeper(src, tokens, () => super.blockTokens(src, tokens, isClipped))
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length > longestText) return asPlain(src, tokens)
    return this.#deeper(src, tokens, () => super.inlineTokens(src, tokens))
  }

  #deeper(src: string, tokens: Token[], read: () => Token[]): Token[] {
    if (this.#depth >= deepest) return asPlain(src, tokens)
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }
}

function asPlain(src: string, tokens: Token[]): Token[] {
  tokens.push({ type: 'text', raw: src, text: src, escaped: false })
  return tokens
}

export const lex = (source: string): readonly Token[] => new PatientLexer().lex(source)

/** Reads on where text has grown: what stands before the last blank line but one block stays. */
export function lexMore(before: Lexed, source: string): Lexed {
  if (source === before.source) return before
  if (!source.startsWith(before.source)) return { source, tokens: lex(source) }
  const finished = before.tokens.slice(0, firstOpen(before.tokens))
  // The lexer may tidy what it says it has read; then only reading all of it again is safe.
  const read = finished.map(({ raw }) => raw).join('')
  if (!source.startsWith(read)) return { source, tokens: lex(source) }
  const tokens = [...finished, ...lex(source.slice(read.length))]
  // The meaning of a reference reaches over the whole text, back and forth.
  return { source, tokens: tokens.some(({ type }) => type === 'def') ? lex(source) : tokens }
}

/** The last block can still change, and with it those that no blank line keeps apart from it. */
function firstOpen(tokens: readonly Token[]): number {
  let at = tokens.findLastIndex((token) => token.type !== 'space')
  while (at > 0 && !isBoundary(tokens[at - 1])) at -= 1
  return Math.max(0, at)
}

function isBoundary(token: Token | undefined): boolean {
  return token?.type === 'space' || /\n[ \t]*\n$/.test(token?.raw ?? '')
}
