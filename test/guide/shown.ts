const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

/** What a document shows for something that is another in every run: ids, and how long it took. */
export interface Shown {
  /** A line to type, with the ids of this run. */
  command(line: string): string
  /** Null when what was printed is what is shown, else both, to be compared. */
  compare(expected: readonly string[], printed: string): { shown: string; printed: string } | null
}

/** `…` stands for anything: in a line of its own for any lines. An id is the same wherever it is shown. */
export function createShown(): Shown {
  const known = new Map<string, string>()

  const real = (line: string) => line.replaceAll(new RegExp(uuid, 'g'), (id) => known.get(id) ?? id)

  function pattern(line: string, fresh: string[]): string {
    if (line === '…') return '(?:.*\n)*?'
    const parts = line.split(new RegExp(`(${uuid.source}|\\d+\\.\\d+s\\b|…)`))
    const text = parts.map((part) => {
      if (part === '…') return '.*?'
      if (/^\d+\.\d+s$/.test(part)) return String.raw`\d+\.\d+s`
      if (!uuid.test(part) || known.has(part)) return escaped(real(part))
      fresh.push(part)
      return `(${uuid.source})`
    })
    return `${text.join('')}\n`
  }

  return {
    command: real,
    compare(expected, printed) {
      const shown = trimmed(expected)
      const said = trimmed(printed.split('\n').map((line) => line.trimEnd()))
      const fresh: string[] = []
      const source = shown.map((line) => pattern(line.trimEnd(), fresh)).join('')
      const found = new RegExp(`^${source}$`).exec(said.map((line) => `${line}\n`).join(''))
      for (const [index, id] of fresh.entries()) known.set(id, found?.[index + 1] ?? id)
      return found === null ? { shown: shown.join('\n'), printed: said.join('\n') } : null
    },
  }
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first === -1 ? [] : lines.slice(first, last + 1)
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
