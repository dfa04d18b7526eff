import type { HeldMark } from '../../protocol/holder/holder.ts'

/** The owner of marks: a shell, by its level; one that is being adopted; nobody any more. */
export type Owner = number | 'adopting' | 'retired'

export const nonceChars = 24
/** A shell that was left may still be there, in the background, and speak again. */
const maxRetired = 64

export type Nonces = ReturnType<typeof createNonces>

/** The secrets by which marks are told from text that only looks like one. */
export function createNonces(base: string) {
  const owners = new Map<string, Owner>([[base, 0]])
  const bytes = new Map<string, Buffer>([[base, Buffer.from(base)]])
  let retired: string[] = []
  return {
    owner: (nonce: string) => owners.get(nonce),
    /** Whether a known one begins so. */
    isPart: (start: string) => [...owners.keys()].some((nonce) => nonce.startsWith(start)),
    /** All of them, as bytes: the same ones each time. */
    secrets: (): Iterable<Buffer> => bytes.values(),
    add(nonce: string, owner: Owner): void {
      owners.set(nonce, owner)
      bytes.set(nonce, Buffer.from(nonce))
    },
    /** Its marks are no news any more, but they are not text either. */
    retire(nonce: string): void {
      owners.set(nonce, 'retired')
      retired = [...retired, nonce]
      const gone = retired.length > maxRetired ? retired.shift() : undefined
      if (gone === undefined) return
      owners.delete(gone)
      bytes.delete(gone)
    },
  }
}

export interface ScanSink {
  text: (bytes: Buffer) => void
  mark: (kind: string, fields: string[], owner: Owner) => void
  /** Nothing more comes. */
  end?: () => void
}

/** With 2,000 escaped characters of a typed line it is the longest; what is longer only looks like one. */
const maxMarkBytes = 40 * 1024
const bel = 0x07
const esc = 0x1b
const nothing: Buffer = Buffer.alloc(0)

const prefix = Buffer.from('\x1b]7133;')
const separator = 0x3b
/** The prefix, a nonce, and what ends it. */
const headBytes = prefix.length + nonceChars + 1

/** Takes the marks out of a byte stream, whatever the pieces it arrives in; the rest passes untouched. */
export function createMarkScanner(nonces: Nonces, sink: ScanSink) {
  let carried = nothing

  function text(bytes: Buffer): void {
    if (bytes.length > 0) sink.text(bytes)
  }

  /** The prefix has one ESC, its first byte, so only the last ESC can begin a cut one. */
  function cutPrefixAt(bytes: Buffer): number {
    const at = bytes.lastIndexOf(esc)
    if (at < 0 || bytes.length - at >= prefix.length) return bytes.length
    return bytes.subarray(at).equals(prefix.subarray(0, bytes.length - at)) ? at : bytes.length
  }

  /** The owner of the mark that begins here; null if it is nobody's, `cut` if the rest of the stream has to tell. */
  function ownerAt(bytes: Buffer, start: number): Owner | 'cut' | null {
    const nonce = bytes.toString('latin1', start + prefix.length, start + headBytes - 1)
    if (bytes.length - start < headBytes) return nonces.isPart(nonce) ? 'cut' : null
    if (bytes[start + headBytes - 1] !== separator) return null
    return nonces.owner(nonce) ?? null
  }

  /** A possible beginning of a mark waits for the rest of it. */
  function carry(bytes: Buffer, from: number): Buffer {
    text(bytes.subarray(0, from))
    carried = bytes.subarray(from)
    return nothing
  }

  function pass(bytes: Buffer, to: number): Buffer {
    text(bytes.subarray(0, to))
    return bytes.subarray(to)
  }

  /** Takes the first mark, with the text before it; returns what comes after it. */
  function takeOne(bytes: Buffer): Buffer {
    const start = bytes.indexOf(prefix)
    if (start < 0) return carry(bytes, cutPrefixAt(bytes))
    const owner = ownerAt(bytes, start)
    if (owner === 'cut') return carry(bytes, start)
    if (owner === null) return pass(bytes, start + prefix.length)
    const bodyAt = start + headBytes
    const end = bytes.indexOf(bel, bodyAt)
    if (end < 0 && bytes.length - start <= maxMarkBytes) return carry(bytes, start)
    if (end < 0 || end - start > maxMarkBytes) return pass(bytes, bodyAt)
    text(bytes.subarray(0, start))
    const [kind = '', ...fields] = bytes.toString('utf8', bodyAt, end).split(';')
    sink.mark(kind, fields, owner)
    return bytes.subarray(end + 1)
  }

  function feed(piece: Buffer): void {
    let bytes = carried.length > 0 ? Buffer.concat([carried, piece]) : piece
    carried = nothing
    while (bytes.length > 0) bytes = takeOne(bytes)
  }

  /** Nothing more comes: what looked like the start of a mark was text. */
  function flush(): void {
    text(carried)
    carried = nothing
    sink.end?.()
  }

  return { feed, flush }
}

const star = 0x2a
/** A beginning of this length is no accident any more. */
const sureBytes = 8

/**
 * Hides nonces where they are printed (`set`, `declare -p`): else they would stand in records, and who reads those
 * could write marks. Nothing waits for the rest of one, so if it arrives in pieces its first few letters may stay.
 */
export function maskNonces({ secrets }: Pick<Nonces, 'secrets'>): (bytes: Buffer) => Buffer {
  /** How much of each the stream ends with. */
  const begun = new Map<Buffer, number>()

  return (bytes) => {
    let shown = bytes
    for (const secret of secrets()) {
      const seen = maskOne(shown, secret, begun.get(secret) ?? 0)
      shown = seen.bytes
      begun.set(secret, seen.begun)
    }
    return shown
  }
}

function maskOne(bytes: Buffer, secret: Buffer, begun: number): { bytes: Buffer; begun: number } {
  const rest = Math.min(begun > 0 ? secret.length - begun : 0, bytes.length)
  const goesOn = rest > 0 && bytes.compare(secret, begun, begun + rest, 0, rest) === 0
  const isCut = goesOn && begun + rest < secret.length
  if (isCut) {
    const masked = begun + rest < sureBytes ? bytes : starred(bytes, 0, rest)
    return { bytes: masked, begun: begun + rest }
  }
  let shown = goesOn ? starred(bytes, 0, rest) : bytes
  for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + secret.length))
    shown = starred(shown, at, secret.length)
  const tail = tailOf(bytes, secret)
  if (tail >= sureBytes) shown = starred(shown, bytes.length - tail, tail)
  return { bytes: shown, begun: tail }
}

/** How much of the secret's beginning stands at the end. */
function tailOf(bytes: Buffer, secret: Buffer): number {
  for (let length = Math.min(secret.length - 1, bytes.length); length > 0; length -= 1) {
    const at = bytes.length - length
    // Most often the first byte says no: nothing more is made for that.
    if (bytes[at] === secret[0] && bytes.compare(secret, 0, length, at) === 0) return length
  }
  return 0
}

/** A copy: who gave the bytes may still need them. */
function starred(bytes: Buffer, at: number, length: number): Buffer {
  return Buffer.from(bytes).fill(star, at, at + length)
}

/** A shell says all of these; only the holder says that one is gone. */
const kinds = new Set<string>(['A', 'B', 'C', 'D', 'H', 'I', 'P'] satisfies HeldMark['kind'][])

export function isMarkKind(kind: string): kind is Exclude<HeldMark['kind'], 'L'> {
  return kinds.has(kind)
}
