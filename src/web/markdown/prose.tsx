import { memo, useRef } from 'react'
import { BlockToken } from './block-token.tsx'
import { lexMore, nothingLexed } from './growing-lexer.ts'

/** Markdown that may still grow. No markup is ever made from its text: only elements of ours. */
export const Prose = memo(function Prose({ source, isOpen }: { source: string; isOpen: boolean }) {
  const lexed = useRef(nothingLexed)
  lexed.current = lexMore(lexed.current, source)
  const { tokens } = lexed.current
  return tokens.map((token, at) => (
    <BlockToken key={at} token={token} isOpen={isOpen && at === tokens.length - 1} />
  ))
})
