/** Without these characters at its end. A pattern such as `\n+$` looks at a long run again from each of its places. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}
