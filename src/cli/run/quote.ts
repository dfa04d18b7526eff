const plain = /^[A-Za-z0-9_@%+=:,./-]+$/

/** One word for a POSIX shell. */
export function quote(word: string): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** One argument is a command line as it stands; several are the words of one. */
export function commandLine(words: readonly string[]): string {
  const [only = ''] = words
  return words.length === 1 ? only : words.map(quote).join(' ')
}
