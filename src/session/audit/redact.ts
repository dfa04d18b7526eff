import { hasSecret, secretsIn } from '../policy/secrets.ts'
import type { AuditRow } from '../../protocol/events/audit.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { RuleId } from '../../protocol/events/rule.ts'
import type { Seq } from '../../protocol/events/seq.ts'

const mark = '[redacted]'

/**
 * A text without what looks like a password, a key or a token, each to the end of its word. Too much may go, for what
 * is left is looked through once more and goes as a whole if anything is found there.
 */
export function redact(text: string): string {
  if (!hasSecret(text)) return text
  let left = text
  for (const { from, isRest } of secretsIn(text).toSorted((a, b) => b.from - a.from)) {
    // Two rules may find the same one.
    if (!isRest && left.startsWith(mark, from)) continue
    left = `${left.slice(0, from)}${mark}${isRest ? '' : left.slice(endOfWord(left, from))}`
  }
  return hasSecret(left.replaceAll(mark, '$_')) ? mark : left
}

/** The end of the shell word that goes on at a place; a quote that is open there, or opens later, belongs to it. */
function endOfWord(text: string, from: number): number {
  const before = text[from - 1] ?? ''
  let quote = isQuote(before) ? before : ''
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\' && quote !== "'") at += 1
    else if (char === quote) quote = ''
    else if (quote === '' && isQuote(char)) quote = char
    else if (quote === '' && /\s/.test(char)) return at
  }
  return text.length
}

const isQuote = (char: string) => char === '"' || char === "'"

/** A yes that counts no longer: the event that tells it, its rule, and its words. */
export interface Revocation extends Pick<AuditRow, 'rules' | 'reasons'> {
  event: Event
}

const others = {
  reply: 'what was allowed in this reply and has not started',
  settings: 'the yes to the settings of the shell',
} as const

/** Follows standing yeses to their end. It holds the words of those that count, of which a session has a bounded number. */
export function createRevocations() {
  const words = new Map<RuleId, string>()
  /** A command of a person's that revokes a rule, until it is answered. */
  let asked: { request: Seq; rule: string } | null = null

  function revokedIn(event: Event): Omit<Revocation, 'event'> | null {
    if (event.type === 'session_update' && event.revoked !== undefined) {
      const { revoked } = event
      asked = null
      if (revoked === 'reply' || revoked === 'settings')
        return { rules: [], reasons: [others[revoked]] }
      const known = words.get(revoked)
      words.delete(revoked)
      return { rules: [revoked], reasons: known === undefined ? [] : [known] }
    }
    if (event.type !== 'tool_response' || event.request !== asked?.request) return null
    const { rule } = asked
    asked = null
    // A rule of the folder is in no log: the answer to the command is all that is told of its end.
    const said = /^Revoked: (.*)\.$/s.exec(event.content)?.[1]
    return said === undefined ? null : { rules: [rule], reasons: [said] }
  }

  return {
    take(event: Event): readonly Revocation[] {
      if (event.type === 'elicitation_response' && event.rule?.scope === 'session')
        words.set(event.rule.id, event.rule.words)
      if (event.type === 'tool_request' && event.name === 'approval') {
        const rule = /\srm\s+(rule-[0-9a-f]{8})\s*$/.exec(event.args)?.[1]
        asked = rule === undefined ? null : { request: event.seq, rule }
      }
      const found = revokedIn(event)
      return found === null ? [] : [{ event, ...found, reasons: found.reasons.map(redact) }]
    },
  }
}
