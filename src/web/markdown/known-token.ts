import type { MarkedToken, Token } from 'marked'

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
