import { assertNever } from '../../protocol/assert-never.ts'
import type { HeldMark } from '../../protocol/holder.ts'

export interface Place {
  seq: number
  offset: number
  /** Milliseconds on the holder's monotonic clock. */
  time: number
}

/** What a person typed, as the shell tells it. */
export interface TypedText {
  /** Its beginning, if it is very long; empty if the shell does not say. */
  text: string
  /** In characters, or bytes where the shell counts those. */
  length: number
  /** Its number in the history; null where the text is this line's for certain. */
  line: number | null
}

/** What the shell said, and where in its output. */
export type Mark = Place &
  (
    | { kind: 'prompt-start' }
    // `line`: the number that the next line will have in the history.
    | { kind: 'prompt'; code: number | null; pid: number; line: number | null }
    // `closed`: the shell itself breaks the unfinished input off.
    | { kind: 'continuation'; closed: boolean }
    // `restores`: another line is put back after it, or it is itself taken out of the line.
    | { kind: 'loaded'; id: string; restores: boolean }
    // `typed`: nobody gave the shell this command by key; null for those that were.
    | { kind: 'output-start'; typed: TypedText | null }
    | { kind: 'output-end'; code: number | null; pid: number; id: string; cwd: string | null }
    | { kind: 'integrated'; shell: string; version: string; pid: number }
  )

/** Spelled out: seven of these are made for each command, and spreading a place costs most of it. */
export function readMark({ kind, fields, seq, offset, time }: HeldMark): Mark {
  const [first = '', second = '', third = ''] = fields
  switch (kind) {
    case 'A':
      return { seq, offset, time, kind: 'prompt-start' }
    case 'B': {
      const [code, pid] = [readCode(first), Number(second)]
      return { seq, offset, time, kind: 'prompt', code, pid, line: readNumber(third) }
    }
    case 'C':
      return { seq, offset, time, kind: 'output-start', typed: readTyped(fields) }
    case 'D': {
      // A folder's name may hold the separator.
      const cwd = readCwd(fields.slice(3).join(';'))
      const [code, pid] = [readCode(first), Number(second)]
      return { seq, offset, time, kind: 'output-end', code, pid, id: third, cwd }
    }
    case 'H': {
      const [shell, version, pid] = [first, second, Number(third)]
      return { seq, offset, time, kind: 'integrated', shell, version, pid }
    }
    case 'I': {
      const restores = second !== '' && second !== '0'
      return { seq, offset, time, kind: 'loaded', id: first, restores }
    }
    case 'P':
      return { seq, offset, time, kind: 'continuation', closed: first === 'closed' }
    default:
      return assertNever(kind)
  }
}

function readCode(field: string): number | null {
  return /^\d{1,3}$/.test(field) ? Number(field) : null
}

function readNumber(field: string): number | null {
  return /^\d{1,9}$/.test(field) ? Number(field) : null
}

/** Number in the history, length, text: three fields, of which the last may hold the separator. */
function readTyped([line = '', length = '', ...rest]: readonly string[]): TypedText | null {
  const text = readText(rest.join(';'))
  if (text === null) return null
  return { text, length: readNumber(length) ?? text.length, line: readNumber(line) }
}

/** A plain path as it is, or escaped. */
function readCwd(field: string): string | null {
  return field.startsWith('/') ? field : readText(field)
}

/** After `q` in the shell's own quoting (bash, zsh), after `u` with URL escapes (fish). */
function readText(field: string): string | null {
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
