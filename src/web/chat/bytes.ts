/** "340 B", "1.2 KB", "50 MB". */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`
  const isSmall = count < 1_000_000
  const value = count / (isSmall ? 1_000 : 1_000_000)
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${isSmall ? 'KB' : 'MB'}`
}
