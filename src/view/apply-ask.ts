import type { ElicitationRequest } from '../protocol/ask.ts'
import { append, change, findEntry, type EntryList } from './entry-list.ts'
import type { Ask, CallEntry, Entry, RunEntry } from './entry.ts'
import { placed, type EventOf, type View } from './view.ts'

export function askOf(event: ElicitationRequest): Ask {
  return {
    seq: event.seq,
    id: event.ask,
    kind: event.kind,
    call: event.request,
    command: event.command,
    effective: event.effective,
    reasons: event.reasons,
    cwd: event.cwd,
    state: { phase: 'open' },
  }
}

/** A question is drawn on the call it is about; it stands for itself only where that is not loaded. */
export function elicitationRequest(
  { entries }: View,
  event: EventOf<'elicitation_request'>,
): EntryList {
  const ask = askOf(event)
  const call = findEntry(entries, event.request)
  return call?.kind === 'run' || call?.kind === 'call'
    ? change(entries, call.seq, (entry) => withAsk(entry, again(call, ask)))
    : append(entries, { kind: 'ask', ...placed(event), ask })
}

export function elicitationResponse(
  { state, entries }: View,
  event: EventOf<'elicitation_response'>,
): EntryList {
  const open = state.asks.find((ask) => ask.seq === event.request)
  if (!open) return entries
  const { outcome, by, word = null, moved } = event
  const ask: Ask = {
    ...askOf(open),
    state: { phase: 'answered', outcome, by, word, ...(moved && { moved }) },
  }
  const place = findEntry(entries, open.seq) ? open.seq : open.request
  return change(entries, place, (entry) => withAsk(entry, ask))
}

function again({ ask: before }: RunEntry | CallEntry, ask: Ask): Ask {
  const hasMoved = before?.state.phase === 'answered' && before.state.moved
  return hasMoved ? { ...ask, isAgain: true } : ask
}

function withAsk(entry: Entry, ask: Ask): Entry {
  return entry.kind === 'run' || entry.kind === 'call' || entry.kind === 'ask'
    ? { ...entry, ask }
    : entry
}
