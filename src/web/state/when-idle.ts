/** Once the page has nothing better to do; not every browser can say when that is. */
export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act)
  else setTimeout(act, 1_000)
}
