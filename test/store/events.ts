import type { Event } from '../../src/protocol/events/event.ts'
import { defaultSessionLimits } from '../../src/protocol/limits.ts'
import type { SessionStart } from '../../src/protocol/events/session.ts'

const by = { kind: 'user' } as const

/** Each event happens a second after the one before it, from second 1000 on. */
export const timeOf = (seq: number): number => (1_000 + seq) * 1_000

export function start(changes: Partial<SessionStart> = {}): Event {
  return {
    v: 1,
    seq: 1,
    at: timeOf(1),
    by,
    type: 'session_start',
    team: 'red',
    workspace: '/home/ann/shop',
    title: null,
    approval: 'guarded',
    limits: defaultSessionLimits,
    ...changes,
  }
}

export function said(seq: number, text = `line ${seq}`): Event {
  return {
    v: 1,
    seq,
    at: timeOf(seq),
    by,
    type: 'message',
    role: 'user',
    parts: [{ type: 'text', text }],
    inContext: true,
    synthetic: false,
  }
}

export function renamed(seq: number, title: string): Event {
  return { v: 1, seq, at: timeOf(seq), by, type: 'session_update', title }
}

/** A whole log of this many events. */
export function log(length: number): readonly Event[] {
  return Array.from({ length }, (_, index) => (index === 0 ? start() : said(index + 1)))
}

export function textOf(event: Event | undefined): string | undefined {
  const part = event?.type === 'message' ? event.parts[0] : undefined
  return part?.type === 'text' ? part.text : undefined
}
