/** Finds secrets in what was stored or sent, as they are and in other writing. */
export interface LeakSearch {
  add(secret: string): void
  /** Those of the secrets that are in there. */
  find(haystack: Buffer | string): readonly string[]
}

/** Looked at one place in so many, any 15 letters of a secret in a row are found, and nothing by chance. */
const windowChars = 8

/** Ways to write it, each with the length of eight letters. */
const writings = [
  { write: (bytes: Buffer) => bytes.toString('latin1'), chars: windowChars },
  { write: (bytes: Buffer) => bytes.toString('hex'), chars: 2 * windowChars },
  // Whatever stands before it shifts it; the first and last letters depend on the neighbours.
  ...[0, 1, 2].map((shift) => ({
    write: (bytes: Buffer) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(4, -4),
    chars: 10,
  })),
]

export function createLeakSearch(): LeakSearch {
  /** By length: every stretch of a secret in some writing. */
  const windows = new Map<number, Map<string, string>>()

  function look(text: string, found: Set<string>): void {
    for (const [chars, secrets] of windows)
      for (let at = 0; at + chars <= text.length; at += chars) {
        const secret = secrets.get(text.slice(at, at + chars))
        if (secret !== undefined) found.add(secret)
      }
  }

  return {
    add(secret) {
      for (const { write, chars } of writings) {
        const secrets = windows.get(chars) ?? new Map<string, string>()
        windows.set(chars, secrets)
        const written = write(lettersOf(secret))
        for (let at = 0; at + chars <= written.length; at++)
          secrets.set(written.slice(at, at + chars), secret)
      }
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

/** What stands between letters and digits is escaped in one way or another. */
function lettersOf(secret: string): Buffer {
  return Buffer.from(secret.replaceAll(/[^A-Za-z0-9]+/g, ''))
}
