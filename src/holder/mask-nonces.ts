import type { Nonces } from './nonces.ts'

const star = 0x2a
/** A beginning of this length is no accident any more. */
const sureBytes = 8

/**
 * Hides what only a shell and we may know where it is printed (`set`, `declare -p`): else it would stand in
 * records, and who reads those could write marks. Nothing waits for the rest of one, so of one that arrives in
 * pieces its first few letters may stay.
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

interface Masked {
  bytes: Buffer
  begun: number
}

function maskOne(bytes: Buffer, secret: Buffer, begun: number): Masked {
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
