import type { Token } from 'marked'
import type { ReactNode } from 'react'
import { assertNever } from '../../protocol/assert-never.ts'
import { isKnown } from './known-token.ts'
import { safeLink } from './safe-link.ts'
import { unescapeText } from './unescape-text.ts'

export function Inline({ tokens }: { tokens: readonly Token[] | undefined }) {
  return (tokens ?? []).map((token, at) => <InlineToken key={at} token={token} />)
}

function InlineToken({ token }: { token: Token }): ReactNode {
  if (!isKnown(token)) return token.raw
  switch (token.type) {
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      )
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return (
        <Link href={token.href}>
          <Inline tokens={token.tokens} />
        </Link>
      )
    case 'image':
      // Loading it would tell a stranger that it was read; a link waits to be asked.
      return <Link href={token.href}>{`🖼 ${token.text || token.href}`}</Link>
    case 'text':
      return token.tokens ? <Inline tokens={token.tokens} /> : unescapeText(token.text)
    case 'escape':
      return token.text
    case 'blockquote':
    case 'checkbox':
    case 'code':
    case 'def':
    case 'heading':
    case 'hr':
    case 'html':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'space':
    case 'table':
      return token.raw
    default:
      return assertNever(token)
  }
}

/** The address is shown on hover, and what is no web address is no link. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeLink(href)
  if (safe === null) return <span title={href}>{children}</span>
  return (
    <a href={safe} title={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
