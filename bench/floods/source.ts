import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Text in lines, as logs are: the terminal's own work on line ends is part of the price. */
const fileBytes = 10_000_000
const words = 'the quick brown fox jumps over the lazy dog 0123456789'

/** A command that prints this many megabytes, at next to no cost of its own. */
export type Flood = (megabytes: number) => string

export async function createFlood(folder: string): Promise<Flood> {
  const path = join(folder, 'ten-megabytes.txt')
  const lines: string[] = []
  for (let length = 0; length < fileBytes; length += 64)
    lines.push(`${String(lines.length).padStart(8, '0')} ${words}\n`)
  await writeFile(
    path,
    lines
      .join('')
      .slice(0, fileBytes - 1)
      .concat('\n'),
  )
  return (megabytes) => `cat ${Array.from({ length: megabytes / 10 }, () => path).join(' ')}`
}
