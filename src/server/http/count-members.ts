import { ok, refused, type Result } from '../../base/result.ts'
import { limits } from '../../protocol/limits.ts'

const quote = 0x22
const backslash = 0x5c

/**
 * Counts the members of all objects in a JSON text, or says of which there is too much for a parser and a schema. The
 * bytes are only counted, so that a million keys cost no more than a long text does.
 */
export function countMembers(bytes: Uint8Array): Result<number, string> {
  let depth = 0
  let keys = 0
  let members = 0
  let parts = 0
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at] ?? 0) {
      case quote:
        at = stringEnd(bytes, at)
        break
      case 0x7b: // {
      case 0x5b: // [
        depth += 1
        if (depth > limits.bodyDepth)
          return refused(`the JSON is deeper than ${limits.bodyDepth} levels`)
        break
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1
        break
      case 0x3a: // :
        if (depth === 1) keys += 1
        if (keys > limits.bodyKeys) return refused(`the JSON has more than ${limits.bodyKeys} keys`)
        members += 1
        parts += 1
        break
      case 0x2c: // ,
        parts += 1
        break
      default:
    }
    if (parts > limits.bodyParts)
      return refused(`the JSON has more than ${limits.bodyParts} members and elements`)
  }
  return ok(members)
}

/** The place of the quote that ends the string which begins here, or the end of the bytes. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
