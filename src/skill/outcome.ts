/** Text of a file as it may be printed: without control characters, which could draw anything. */
export function plainText(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\s+/g, ' ')).trim()
}

/** A command's output and exit code: 0 done, 1 not done, 2 not understood. */
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
    err: asText(lines.map((line, at) => complaint(at === 0 ? `skill: ${line}` : line))),
    code: 1,
  }
}

export function misused(line: string, usage: string): Outcome {
  return { out: '', err: asText([complaint(`skill: ${line}`), `usage: ${usage}`]), code: 2 }
}

/** A complaint may quote what was typed or read: one short line of it. */
function complaint(line: string): string {
  return plainText(line.replace(/[\r\n]+/g, ' ')).slice(0, complaintChars)
}

const complaintChars = 500

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
