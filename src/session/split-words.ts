/** Words apart by blanks; one in quotes may hold some. An apostrophe in a word is no quote. */
export function splitWords(text: string): readonly string[] {
  const words = text.matchAll(/(?<!\S)(?:"([^"]*)"|'([^']*)')(?!\S)|\S+/g)
  return [...words].map(([word, double, single]) => double ?? single ?? word)
}
