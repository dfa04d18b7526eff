import { assertNever } from '../../../base/assert-never.ts'
import { HeldMark } from '../../../protocol/holder/holder.ts'
import { markPlaceBytes } from '../../../protocol/holder/frames.ts'
import type { Mark, TypedText } from '../../../terminal/incoming.ts'
import { createPlainText } from '../run/plain-text.ts'

/** Decoded by hand: seven of these come with every command. Null for a kind that only a newer holder knows. */
export function decodeMark(payload: Buffer): HeldMark | null {
  if (payload.length <= markPlaceBytes) throw new Error('a mark without a kind is not one of ours')
  const [name = '', ...fields] = payload.toString('utf8', markPlaceBytes).split(';')
  const kind = name.slice(0, 1)
  if (!isKind(kind)) return null
  return {
    level: name.length === 1 ? 0 : Number(name.slice(1)),
    seq: payload.readDoubleBE(0),
    kind,
    fields,
    offset: payload.readDoubleBE(8),
    time: payload.readDoubleBE(16),
  }
}

const kinds = new Set<string>(HeldMark.shape.kind.options)

function isKind(kind: string): kind is HeldMark['kind'] {
  return kinds.has(kind)
}

/** Spelled out: seven of these are made for each command, and spreading a position costs most of it. */
export function readMark({ kind, level, fields, seq, offset, time }: HeldMark): Mark {
  const [first = '', second = '', third = ''] = fields
  switch (kind) {
    case 'A':
      return { seq, level, offset, time, kind: 'prompt-start' }
    case 'B': {
      const [code, pid] = [readCode(first), Number(second)]
      return { seq, level, offset, time, kind: 'prompt', code, pid, line: readNumber(third) }
    }
    case 'C':
      return { seq, level, offset, time, kind: 'output-start', typed: readTyped(fields) }
    case 'D': {
      // A folder's name may hold the separator.
      const cwd = readCwd(fields.slice(3).join(';'))
      const [code, pid] = [readCode(first), Number(second)]
      return { seq, level, offset, time, kind: 'output-end', code, pid, id: third, cwd }
    }
    case 'H':
      return { seq, level, offset, time, kind: 'integrated', ...readShell(fields) }
    case 'I': {
      const restores = second !== '' && second !== '0'
      const cwd = readCwd(fields.slice(3).join(';'))
      const attempt = readNumber(third) ?? 0
      return { seq, level, offset, time, kind: 'loaded', id: first, restores, attempt, cwd }
    }
    case 'L':
      return { seq, level, offset, time, kind: 'left' }
    case 'P':
      return { seq, level, offset, time, kind: 'continuation', closed: first === 'closed' }
    default:
      return assertNever(kind)
  }
}

/** An adopted one may be anybody's: what it says of itself is kept plain and short. */
function readShell([
  shell = '',
  version = '',
  pid = '',
  ,
  place = '',
  away = '',
]: readonly string[]) {
  const plain = place.replaceAll(/[^\w.@-]/g, '').slice(0, maxPlaceChars)
  return { shell, version, pid: readNumber(pid) ?? 0, place: plain, isAway: away === 'away' }
}

const maxPlaceChars = 100

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
  // The mark cannot say what the terminal showed.
  return { text, length: readNumber(length) ?? text.length, line: readNumber(line), isShown: false }
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

/** The echo of a line that is compared with the history is not longer. */
const maxBytes = 16 * 1024

/** Remembers what the terminal showed since the prompt: bash may name another line than the one that was typed. */
export function createEcho() {
  let pieces: Buffer[] = []
  let bytes = 0
  return {
    onData(piece: Buffer): void {
      if (bytes > maxBytes) return
      pieces.push(piece)
      bytes += piece.length
    },
    /** The mark, with whether the line that it names was shown. */
    complete(mark: Mark): Mark {
      if (mark.kind === 'prompt') {
        pieces = []
        bytes = 0
      }
      if (mark.kind !== 'output-start' || mark.typed === null) return mark
      const { typed } = mark
      const isShown = isEchoOf(Buffer.concat(pieces).toString('utf8'), typed.text)
      return { ...mark, typed: { ...typed, isShown } }
    },
  }
}

/** Says whether the line on the screen is the same, blanks aside; one that begins with a blank never is. */
function isEchoOf(echo: string, text: string): boolean {
  let shown = ''
  const plain = createPlainText((part) => {
    shown += part
  })
  plain.feed(echo)
  shown += plain.pending()
  return !/^\s/.test(shown) && shown.replaceAll(/\s/g, '') === text.replaceAll(/\s/g, '')
}
