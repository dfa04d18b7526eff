/** Finds secrets in what was stored or sent, as they are and in other writing. */
export interface LeakSearch {
  add(secret: string): void
  /** Those of the secrets that are in there. */
  find(haystack: Buffer | string): readonly string[]
}

/** Looked at one place in so many, any 15 letters of a secret in a row are found. */
const windowChars = 8

export function createLeakSearch(): LeakSearch {
  const windows = new Map<string, string>()

  function look(text: string, found: Set<string>): void {
    for (let at = 0; at + windowChars <= text.length; at += windowChars) {
      const secret = windows.get(text.slice(at, at + windowChars))
      if (secret !== undefined) found.add(secret)
    }
  }

  return {
    add(secret) {
      for (const spelling of spellings(secret))
        for (let at = 0; at + windowChars <= spelling.length; at++)
          windows.set(spelling.slice(at, at + windowChars), secret)
    },
    find(haystack) {
      const text = haystack.toString('latin1')
      const found = new Set<string>()
      look(text, found)
      // Split by line ends, escapes, quotes or frames, its letters still follow each other.
      look(text.replaceAll(/[^A-Za-z0-9]+/g, ''), found)
      return [...found]
    },
  }
}

/** Of the letters and digits alone: what stands between them is escaped in one way or another. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret.replaceAll(/[^A-Za-z0-9]+/g, ''))
  // Whatever stands before it shifts it; the first and last letters depend on the neighbours.
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4),
  )
  return [bytes.toString('latin1'), bytes.toString('hex'), ...shifted]
}
