import { execFile } from 'node:child_process'

/** How the terminal takes keys: by line, by line without showing them, or one by one. */
export type Keys = 'line' | 'hidden' | 'raw'

/** A terminal that does not answer by then is gone. */
const limitMs = 2000

/** The terminal's settings; null when they cannot be read. */
export function readKeys(pts: string): Promise<Keys | null> {
  const read = new Promise<Keys | null>((resolve) => {
    execFile('stty', ['-F', pts, '-a'], { timeout: limitMs }, (error, settings) =>
      resolve(error === null ? parseKeys(settings) : null),
    )
  })
  // Out of memory, starting a program throws.
  return read.catch(() => null)
}

export function parseKeys(settings: string): Keys | null {
  const set = new Set(settings.split(/[\s;]+/))
  if (set.has('-icanon')) return 'raw'
  if (!set.has('icanon')) return null
  return set.has('-echo') ? 'hidden' : 'line'
}
