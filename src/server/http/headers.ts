/** On every answer, documents and API alike. There is no CORS header, on purpose. */
export const safetyHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** What a page of ours may do: its own scripts and styles, its own server, nothing else. */
export function documentPolicy(port: number): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The terminal writes its measures and colours into style elements of its own.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    // The page makes no markup from text anywhere, so there is no policy to be tricked.
    "trusted-types 'none'",
  ].join('; ')
}
