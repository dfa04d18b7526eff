import { BadArchive } from './bad-archive.ts'
import { decodeName } from './decode-name.ts'

/** What an extended header may say without changing what an entry is. */
const harmless =
  /^(?:[acm]time|uid|gid|uname|gname|comment|charset|hdrcharset|(?:SCHILY|LIBARCHIVE)\..*)$/

/** The path that an extended header of tar gives; null when it only tells times and owners. */
export function readPax(data: Buffer): string | null {
  let path: string | null = null
  for (let at = 0; at < data.length;) {
    const { key, value, next } = readLine(data, at)
    if (key === 'path') path = value
    else if (!harmless.test(key))
      throw new BadArchive(`a header in it has "${key}", which is not taken`)
    at = next
  }
  return path
}

/** `LENGTH key=value\n`, the length counting all of it. */
function readLine(data: Buffer, at: number): { key: string; value: string; next: number } {
  const digits = /^([1-9]\d{0,5}) /.exec(data.toString('latin1', at, at + 7))?.[1] ?? ''
  const next = at + Number(digits)
  const line = data.subarray(at + digits.length + 1, next)
  const equals = line.indexOf('=')
  if (digits === '' || next > data.length || line.at(-1) !== 10 || equals < 1)
    throw new BadArchive('a header in it is damaged')
  return {
    key: decodeName(line.subarray(0, equals)),
    value: decodeName(line.subarray(equals + 1, -1)),
    next,
  }
}
