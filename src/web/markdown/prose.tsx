import { memo, useRef, createElement, type ReactNode } from 'react'
import type { Token, Tokens } from 'marked'
import { assertNever } from '../../base/assert-never.ts'
import { Inline, isKnown } from './inline.tsx'
import { CopyButton } from '../parts/buttons.tsx'
import { usePainted } from './highlight.ts'
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

interface BlockProps {
  token: Token
  isOpen: boolean
}

const BlockToken = memo(function BlockToken({ token, isOpen }: BlockProps): ReactNode {
  if (!isKnown(token)) return token.raw
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'code':
      return <CodeBlock code={token.text} language={token.lang ?? ''} isOpen={isOpen} />
    case 'heading':
      // The page has its own first levels.
      return createElement(
        `h${Math.min(6, token.depth + 3)}`,
        null,
        <Inline tokens={token.tokens} />,
      )
    case 'hr':
      return <hr />
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} isOpen={isOpen} />
        </blockquote>
      )
    case 'list':
      return <List token={token} isOpen={isOpen} />
    case 'table':
      return <Table token={token} />
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'html':
      // Shown as it was written.
      return <p className="raw-markup">{token.text}</p>
    case 'br':
    case 'checkbox':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
    case 'text':
      return <Inline tokens={[token]} />
    default:
      return assertNever(token)
  }
})

function Blocks({ tokens, isOpen }: { tokens: readonly Token[]; isOpen: boolean }) {
  return tokens.map((token, at) => <BlockToken key={at} token={token} isOpen={isOpen} />)
}

function List({ token, isOpen }: { token: Tokens.List; isOpen: boolean }) {
  const items = token.items.map((item, at) => (
    <li key={at} className={item.task ? 'task' : undefined}>
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked ?? false}
          disabled
          aria-label={item.checked ? 'done' : 'to do'}
        />
      )}
      <Blocks tokens={item.tokens.filter((each) => each.type !== 'checkbox')} isOpen={isOpen} />
    </li>
  ))
  return token.ordered ? (
    <ol start={token.start === '' ? 1 : token.start}>{items}</ol>
  ) : (
    <ul>{items}</ul>
  )
}

function Table({ token }: { token: Tokens.Table }) {
  const cell = (tag: 'th' | 'td', { tokens, align }: Tokens.TableCell, at: number) =>
    createElement(
      tag,
      { key: at, className: align ? `align-${align}` : undefined },
      <Inline tokens={tokens} />,
    )
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>{token.header.map((each, at) => cell('th', each, at))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>{row.map((each, column) => cell('td', each, column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CodeBlockProps {
  code: string
  language: string
  /** More may come; colours wait until it is complete. */
  isOpen: boolean
}

const CodeBlock = memo(function CodeBlock({ code, language, isOpen }: CodeBlockProps) {
  const [name = ''] = language.split(/\s/, 1)
  const painted = usePainted(code, name.toLowerCase(), isOpen)
  return (
    <figure className="code-block">
      <figcaption>
        <span>{name || 'text'}</span>
        <CopyButton text={() => code} label="Copy code" />
      </figcaption>
      <pre tabIndex={0} aria-label={`Code, ${name || 'text'}`}>
        <code>
          {painted
            ? painted.map(({ text, className }, at) => (
                <span key={at} className={className}>
                  {text}
                </span>
              ))
            : code}
        </code>
      </pre>
    </figure>
  )
})
