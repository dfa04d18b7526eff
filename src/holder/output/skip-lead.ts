import type { Owner, ScanSink } from './scan-marks.ts'

/** Between "output starts" and the first byte fish writes: paste mode and colours off, the title. */
const resets = ['\x1b[?2004l', '\x1b[30m', '\x1b(B', '\x1b[m']
const titleStart = '\x1b]'
const titleEnd = '\x07'
const lineStart = '\r'
/** A title is a line at most; anything longer is output. */
const maxLeadBytes = 4096

/** A sink that need not be asked while no mark waits. */
export interface LeadSkipper extends Required<ScanSink> {
  readonly isHolding: boolean
}

/**
 * Lets the mark "output starts" of a shell that titles its commands wait until what that shell itself
 * writes behind it has passed.
 */
export function skipLead(sink: ScanSink, titles: (owner: Owner) => boolean): LeadSkipper {
  let held: { fields: string[]; owner: Owner } | null = null
  let lead: Buffer = Buffer.alloc(0)

  /** Output starts behind the first `length` bytes that came since. */
  function release(length: number): void {
    if (held === null) return
    const { fields, owner } = held
    const bytes = lead
    held = null
    skipper.isHolding = false
    lead = Buffer.alloc(0)
    if (length > 0) sink.text(bytes.subarray(0, length))
    sink.mark('C', fields, owner)
    if (length < bytes.length) sink.text(bytes.subarray(length))
  }

  const skipper = {
    isHolding: false,
    text(bytes: Buffer) {
      if (held === null) return sink.text(bytes)
      lead = Buffer.concat([lead, bytes])
      const length = leadLength(lead.toString('latin1', 0, maxLeadBytes))
      if (length !== null) release(length)
      else if (lead.length >= maxLeadBytes) release(0)
    },
    mark(kind: string, fields: string[], owner: Owner) {
      release(lead.length)
      if (kind !== 'C' || !titles(owner)) return sink.mark(kind, fields, owner)
      held = { fields, owner }
      skipper.isHolding = true
    },
    end: () => release(lead.length),
  }
  return skipper
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
