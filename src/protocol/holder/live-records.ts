/**
 * The state of a live shell as it writes it down: a kind, the number of its fields, and those, each ended by a NUL, which
 * no field holds. Text is a letter a byte here, as the file has it.
 */
export interface LiveRecord {
  kind: string
  fields: readonly string[]
}

/** Every one that is there, or null: a file that was cut off or written by somebody else says nothing. */
export function splitRecords(text: string): readonly LiveRecord[] | null {
  const parts = text.split('\0')
  if (parts.pop() !== '') return null
  const records: LiveRecord[] = []
  let at = 0
  while (at < parts.length) {
    const [kind = '', count = ''] = parts.slice(at, at + 2)
    const end = at + 2 + Number(count)
    if (!/^\d{1,7}$/.test(count) || end > parts.length) return null
    records.push({ kind, fields: parts.slice(at + 2, end) })
    at = end
  }
  return records
}

export function joinRecords(records: readonly LiveRecord[]): string {
  return records
    .flatMap(({ kind, fields }) => [kind, String(fields.length), ...fields])
    .map((field) => `${field}\0`)
    .join('')
}

/** Variables that a person may take as they are, whose value they have to see for that: programs to look with, and looks. */
export const acceptableVariables: ReadonlySet<string> = new Set(
  'EDITOR VISUAL PAGER MANPAGER BROWSER GREP_COLOR GREP_COLORS CARGO_TERM_COLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE'.split(
    ' ',
  ),
)

/** Others whose value decides what a word means; of all the rest only a hash leaves the holder, to be compared. */
export const shownVariables: ReadonlySet<string> = new Set([
  ...acceptableVariables,
  'IFS',
  'CDPATH',
  'GLOBIGNORE',
  'POSIXLY_CORRECT',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'NULLCMD',
  'READNULLCMD',
])

/** The records with the values of variables hashed, unless they are to be shown; a secret may be one. */
export function concealValues(
  records: readonly LiveRecord[],
  hash: (value: string) => string,
): readonly LiveRecord[] {
  return records.map(({ kind, fields }) => ({ kind, fields: concealed(kind, fields, hash) }))
}

function concealed(
  kind: string,
  fields: readonly string[],
  hash: (value: string) => string,
): readonly string[] {
  if (kind === 'environment') return fields.map(hash)
  if (kind !== 'variables') return fields
  return fields.map((field, at) =>
    at % 3 === 2 && !shownVariables.has(fields[at - 2] ?? '') ? hash(field) : field,
  )
}
