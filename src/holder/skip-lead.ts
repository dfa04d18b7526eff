import type { Owner } from './nonces.ts'
import type { ScanSink } from './scan-marks.ts'

/** What fish writes between "output starts" and its first byte: paste mode and colours off, the title. */
const resets = ['\x1b[?2004l', '\x1b[30m', '\x1b(B', '\x1b[m']
const titleStart = '\x1b]'
const titleEnd = '\x07'
const lineStart = '\r'
/** A title is a line at most; what is longer is output. */
const maxLeadBytes = 4096

/**
 * Lets the mark "output starts" of a shell that titles its commands wait until what that shell itself
 * writes behind it has passed.
 */
export function skipLead(sink: ScanSink, titles: (owner: Owner) => boolean): ScanSink {
  let held: { fields: string[]; owner: Owner } | null = null
  let lead: Buffer = Buffer.alloc(0)

  /** Output starts behind the first `length` bytes that came since. */
  function release(length: number): void {
    if (held === null) return
    const { fields, owner } = held
    const bytes = lead
    held = null
    lead = Buffer.alloc(0)
    if (length > 0) sink.text(bytes.subarray(0, length))
    sink.mark('C', fields, owner)
    if (length < bytes.length) sink.text(bytes.subarray(length))
  }

  return {
    text(bytes) {
      if (held === null) return sink.text(bytes)
      lead = Buffer.concat([lead, bytes])
      const length = leadLength(lead.toString('latin1', 0, maxLeadBytes))
      if (length !== null) release(length)
      else if (lead.length >= maxLeadBytes) release(0)
    },
    mark(kind, fields, owner) {
      release(lead.length)
      if (kind === 'C' && titles(owner)) held = { fields, owner }
      else sink.mark(kind, fields, owner)
    },
    end: () => release(lead.length),
  }
}

/** Null while more of it may come. */
function leadLength(text: string): number | null {
  let at = 0
  for (;;) {
    const rest = text.slice(at)
    if (rest.startsWith(lineStart)) return at + 1
    const next = partLength(rest)
    if (next === 0) return mayGoOn(rest) ? null : at
    at += next
  }
}

function partLength(rest: string): number {
  if (rest.startsWith(titleStart)) return rest.indexOf(titleEnd) + 1
  return resets.find((sequence) => rest.startsWith(sequence))?.length ?? 0
}

function mayGoOn(rest: string): boolean {
  if (rest.startsWith(titleStart)) return true
  return [titleStart, ...resets].some((sequence) => sequence.startsWith(rest))
}
