/** Text of a file as it may be printed: without control characters, which could draw anything. */
export function plainText(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\s+/g, ' ')).trim()
}
