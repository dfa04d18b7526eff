import type { Token, MarkedToken } from 'marked'
import { createElement, type ReactNode } from 'react'
import { assertNever } from '../../base/assert-never.ts'

export function Inline({ tokens }: { tokens: readonly Token[] | undefined }) {
  return (tokens ?? []).map((token, at) => <InlineToken key={at} token={token} />)
}

function InlineToken({ token }: { token: Token }): ReactNode {
  if (!isKnown(token)) return token.raw
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return createElement(token.type, null, <Inline tokens={token.tokens} />)
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

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  rarr: '→',
  larr: '←',
  copy: '©',
}

/** The few references that models write; the rest stays as it is. React escapes what comes out. */
function unescapeText(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/gi,
    (whole, name: string) => named[name.toLowerCase()] ?? numbered(name) ?? whole,
  )
}

function numbered(name: string): string | null {
  if (!name.startsWith('#')) return null
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null
}

/** Only the web and mail; everything else could be a script or a program on this computer. */
const allowed: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

function safeLink(href: string): string | null {
  try {
    const url = new URL(href)
    return allowed.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}

const names: Readonly<Record<MarkedToken['type'], true>> = {
  space: true,
  code: true,
  heading: true,
  table: true,
  hr: true,
  blockquote: true,
  list: true,
  list_item: true,
  checkbox: true,
  html: true,
  def: true,
  paragraph: true,
  escape: true,
  text: true,
  link: true,
  image: true,
  strong: true,
  em: true,
  codespan: true,
  br: true,
  del: true,
}

/** Generic tokens come from extensions, and there are none. */
export function isKnown(token: Token): token is MarkedToken {
  return token.type in names
}
