/** A text as one word of a command. A backslash stays outside the quotes, where fish means by it what others do. */
export function quoteWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `'${text.replace(/['\\]/g, String.raw`'\$&'`)}'`
}
