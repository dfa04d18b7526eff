/**
 * The value at a path inside a JSON text, as it is written there: spacing, escapes, number forms and
 * doubled keys included. The text has to be valid JSON; null if there is nothing at the path.
 */
export function rawValue(text: string, path: readonly (string | number)[]): string | null {
  let at = skipBlanks(text, 0)
  for (const step of path) {
    const inside = typeof step === 'number' ? itemAt(text, at, step) : memberAt(text, at, step)
    if (inside === null) return null
    at = inside
  }
  return text.slice(at, valueEnd(text, at))
}

/** Offset of an array's item. */
function itemAt(text: string, at: number, index: number): number | null {
  if (text[at] !== '[') return null
  let item = skipBlanks(text, at + 1)
  for (let n = 0; text[item] !== ']'; n++) {
    if (n === index) return item
    item = afterComma(text, valueEnd(text, item))
  }
  return null
}

/** Offset of a member's value; the last of doubled keys counts, as for JSON.parse. */
function memberAt(text: string, at: number, key: string): number | null {
  if (text[at] !== '{') return null
  let found: number | null = null
  let member = skipBlanks(text, at + 1)
  while (text[member] !== '}') {
    const keyEnd = stringEnd(text, member)
    const value = skipBlanks(text, skipBlanks(text, keyEnd) + 1)
    if (JSON.parse(text.slice(member, keyEnd)) === key) found = value
    member = afterComma(text, valueEnd(text, value))
  }
  return found
}

function valueEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at)
  if (text[at] !== '{' && text[at] !== '[') return pastAll(text, at, /[^\s,\]}]*/y)
  let depth = 0
  let end = at
  do {
    const character = text[end]
    if (character === '"') {
      end = stringEnd(text, end)
      continue
    }
    if (character === '{' || character === '[') depth++
    if (character === '}' || character === ']') depth--
    end++
  } while (depth > 0)
  return end
}

function stringEnd(text: string, at: number): number {
  let end = at + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

function afterComma(text: string, at: number): number {
  const next = skipBlanks(text, at)
  return text[next] === ',' ? skipBlanks(text, next + 1) : next
}

function skipBlanks(text: string, at: number): number {
  return pastAll(text, at, /[ \t\r\n]*/y)
}

function pastAll(text: string, at: number, sticky: RegExp): number {
  sticky.lastIndex = at
  return at + (sticky.exec(text)?.[0].length ?? 0)
}
