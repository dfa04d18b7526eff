import { lexer, type Token } from 'marked'

export interface Lexed {
  source: string
  /** Tokens that more text leaves as they are keep their identity, and so are not drawn again. */
  tokens: readonly Token[]
}

export const nothingLexed: Lexed = { source: '', tokens: [] }

/** Reads on where text has grown: what stands before the last blank line but one block stays. */
export function lexMore(before: Lexed, source: string): Lexed {
  if (source === before.source) return before
  if (!source.startsWith(before.source)) return { source, tokens: lexer(source) }
  const finished = before.tokens.slice(0, firstOpen(before.tokens))
  // The lexer may tidy what it says it has read; then only reading all of it again is safe.
  const read = finished.map(({ raw }) => raw).join('')
  if (!source.startsWith(read)) return { source, tokens: lexer(source) }
  const tokens = [...finished, ...lexer(source.slice(read.length))]
  // What a reference means reaches over the whole text, back and forth.
  return { source, tokens: tokens.some(({ type }) => type === 'def') ? lexer(source) : tokens }
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
