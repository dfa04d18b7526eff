import { assertNever } from '../../protocol/assert-never.ts'
import type { HeldMark } from '../../protocol/holder.ts'

export interface Place {
  seq: number
  offset: number
  /** Milliseconds on the holder's monotonic clock. */
  time: number
}

/** What the shell said, and where in its output. */
export type Mark = Place &
  (
    | { kind: 'prompt-start' }
    | { kind: 'prompt'; code: number | null; pid: number }
    // `closed`: the shell itself breaks the unfinished input off.
    | { kind: 'continuation'; closed: boolean }
    | { kind: 'loaded'; id: string }
    | { kind: 'output-start' }
    | { kind: 'output-end'; code: number | null; pid: number; id: string; cwd: string | null }
    | { kind: 'integrated'; shell: string; version: string; pid: number }
  )

export function readMark({ kind, fields, seq, offset, time }: HeldMark): Mark {
  const place: Place = { seq, offset, time }
  const [first = '', second = '', third = ''] = fields
  switch (kind) {
    case 'A':
      return { ...place, kind: 'prompt-start' }
    case 'B':
      return { ...place, kind: 'prompt', code: readCode(first), pid: Number(second) }
    case 'C':
      return { ...place, kind: 'output-start' }
    case 'D':
      return {
        ...place,
        kind: 'output-end',
        code: readCode(first),
        pid: Number(second),
        id: third,
        // A folder's name may hold the separator.
        cwd: readCwd(fields.slice(3).join(';')),
      }
    case 'H':
      return { ...place, kind: 'integrated', shell: first, version: second, pid: Number(third) }
    case 'I':
      return { ...place, kind: 'loaded', id: first }
    case 'P':
      return { ...place, kind: 'continuation', closed: first === 'closed' }
    default:
      return assertNever(kind)
  }
}

function readCode(field: string): number | null {
  return /^\d{1,3}$/.test(field) ? Number(field) : null
}

/** A plain path as it is; else `q` and the shell's own quoting (bash, zsh), or `u` and URL escapes (fish). */
function readCwd(field: string): string | null {
  if (field.startsWith('/')) return field
  if (field.startsWith('u')) return unescapeUrl(field.slice(1))
  return field.startsWith('q') ? unquote(field.slice(1)) : null
}

function unescapeUrl(escaped: string): string {
  const bytes = escaped.replaceAll(/%([0-9A-F]{2})/g, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const named: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  e: 27,
  E: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
}

/** Undoes bash's `printf %q`: backslashes, or `$'…'` where a character cannot be printed. */
export function unquote(quoted: string): string {
  if (!quoted.startsWith("$'")) return quoted.replaceAll(/\\([\s\S])/g, '$1')
  const body = Buffer.from(quoted.slice(2, -1), 'utf8').toString('latin1')
  const bytes = body.replaceAll(/\\([0-7]{1,3}|[\s\S])/g, (_match, escape: string) =>
    /^[0-7]/.test(escape)
      ? String.fromCharCode(Number.parseInt(escape, 8) & 0xff)
      : String.fromCharCode(named[escape] ?? escape.charCodeAt(0)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
