import type { ILinkHandler } from '@xterm/xterm'

/** The address to open, or null: output may name any scheme, and only these two lead to pages. */
export function pageAddress(uri: string): string | null {
  const url = URL.canParse(uri) ? new URL(uri) : null
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

/** A click that was meant: a plain one belongs to selecting and to the program. */
export function followLink(event: MouseEvent, uri: string): void {
  const address = pageAddress(uri)
  if (address !== null && (event.ctrlKey || event.metaKey))
    window.open(address, '_blank', 'noopener,noreferrer')
}

export function linkHandler(onHover: (address: string | null) => void): ILinkHandler {
  return {
    activate: followLink,
    hover: (_, uri) => onHover(pageAddress(uri)),
    leave: () => onHover(null),
    allowNonHttpProtocols: false,
  }
}
