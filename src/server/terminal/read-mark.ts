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
    // `restores`: another line is put back after it, or it is itself taken out of the line.
    | { kind: 'loaded'; id: string; restores: boolean }
    | { kind: 'output-start' }
    | { kind: 'output-end'; code: number | null; pid: number; id: string; cwd: string | null }
    | { kind: 'integrated'; shell: string; version: string; pid: number }
  )

/** Spelled out: seven of these are made for each command, and spreading a place costs most of it. */
export function readMark({ kind, fields, seq, offset, time }: HeldMark): Mark {
  const [first = '', second = '', third = ''] = fields
  switch (kind) {
    case 'A':
      return { seq, offset, time, kind: 'prompt-start' }
    case 'B':
      return { seq, offset, time, kind: 'prompt', code: readCode(first), pid: Number(second) }
    case 'C':
      return { seq, offset, time, kind: 'output-start' }
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
