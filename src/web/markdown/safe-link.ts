/** Only the web and mail; everything else could be a script or a program on this computer. */
const allowed: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

export function safeLink(href: string): string | null {
  try {
    const url = new URL(href)
    return allowed.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}
