import { lexer, type Token } from 'marked'

export interface Lexed {
  source: string
  /** Tokens that more text leaves as they are keep their identity, and so are not drawn again. */
  tokens: readonly Token[]
}

export const nothingLexed: Lexed = { source: '', tokens: [] }

/** Reads on where text has grown: only the last block can still change. */
export function lexMore(before: Lexed, source: string): Lexed {
  if (source === before.source) return before
  if (!source.startsWith(before.source)) return { source, tokens: lexer(source) }
  const last = before.tokens.findLastIndex((token) => token.type !== 'space')
  const finished = before.tokens.slice(0, Math.max(0, last))
  const from = finished.reduce((length, token) => length + token.raw.length, 0)
  return { source, tokens: [...finished, ...lexer(source.slice(from))] }
}
