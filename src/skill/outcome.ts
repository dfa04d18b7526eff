/** What a command prints and how it exits: 0 done, 1 not done, 2 not understood. */
export interface Outcome {
  out: string
  err: string
  code: 0 | 1 | 2
}

export function printed(...lines: readonly string[]): Outcome {
  return { out: asText(lines), err: '', code: 0 }
}

export function failed(...lines: readonly string[]): Outcome {
  return {
    out: '',
    err: asText(lines.map((line, at) => (at === 0 ? `skill: ${line}` : line))),
    code: 1,
  }
}

export function misused(line: string, usage: string): Outcome {
  return { out: '', err: asText([`skill: ${line}`, `usage: ${usage}`]), code: 2 }
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
