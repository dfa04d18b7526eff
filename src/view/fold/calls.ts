import { append, change, type EntryList, findEntry } from './entry-list.ts'
import {
  type CallEntry,
  type Entry,
  type FromTag,
  type RunEntry,
  type Ask,
  noText,
} from './entry.ts'
import { placed, type EventOf, type View } from './view.ts'
import type { ElicitationRequest } from '../../protocol/events/ask.ts'
import type { SessionState } from '../../log/state.ts'
import type { ToolRequest } from '../../protocol/events/call.ts'
import type { Seq } from '../../protocol/events/seq.ts'

export function toolRequest({ entries }: View, event: EventOf<'tool_request'>): EntryList {
  const { run } = event
  const shared = { ...placed(event), tag: tagOf(event), answer: null, ask: null }
  const entry: RunEntry | CallEntry = run
    ? {
        ...shared,
        kind: 'run',
        command: run.command,
        source: run.source,
        lane: run.lane,
        private: run.private,
        cwd: run.cwd ?? null,
        repo: run.repo ?? null,
        state: { phase: 'pending' },
      }
    : { ...shared, kind: 'call', name: event.name, args: event.args }
  return append(entries, entry)
}

/** A call of the tools dialect has the provider's id, and stands nowhere in the text. */
function tagOf({ step, callId, index }: EventOf<'tool_request'>): FromTag | null {
  return step === null || callId !== undefined ? null : { reply: step, index }
}

export function runStart({ entries }: View, event: EventOf<'run_start'>): EntryList {
  const { command, run } = event
  const startedAt = event.at
  const state = { phase: 'running', run, startedAt, live: noText, note: null } as const
  if (event.request !== null)
    return change(entries, event.request, (entry) =>
      entry.kind === 'run'
        ? // An edited command may be what runs, and only the shell knows where.
          { ...entry, command, cwd: event.cwd ?? entry.cwd, state }
        : entry,
    )
  return append(entries, {
    kind: 'run',
    ...placed(event),
    command,
    source: event.source,
    lane: event.lane,
    private: event.private,
    cwd: event.cwd,
    repo: null,
    tag: null,
    state,
    answer: null,
    ask: null,
  })
}

export function runEnd({ state, entries }: View, event: EventOf<'run_end'>): EntryList {
  const start = state.runs.find((run) => run.seq === event.start)
  if (!start) return entries
  const { outcome, exitCode, signal, durationMs, bytes, omitted, cwdAfter } = event
  const end = { outcome, exitCode, signal, durationMs, bytes, omitted, cwdAfter }
  const result = { startedAt: start.at, ...end }
  const isUnseen = outcome === 'not_started' && start.request !== null
  const settled: RunEntry['state'] = { phase: 'settled', run: event.run, result }
  return change(entries, start.request ?? start.seq, (entry) =>
    entry.kind === 'run' ? { ...entry, state: isUnseen ? notStarted(entry) : settled } : entry,
  )
}

/** No shell saw it: unless it was taken back, it is not over, but asked about or tried again. */
function notStarted({ answer }: RunEntry): RunEntry['state'] {
  return answer === null ? { phase: 'pending' } : { phase: 'settled', run: null, result: null }
}

export function toolResponse({ entries }: View, event: EventOf<'tool_response'>): EntryList {
  const answer = { status: event.status, content: event.content }
  return change(entries, event.request, (entry): Entry => {
    if (entry.kind === 'call') return { ...entry, answer }
    if (entry.kind !== 'run') return entry
    // A pending run that is answered never reached a shell; a running one ends by itself.
    return entry.state.phase === 'pending'
      ? { ...entry, answer, state: { phase: 'settled', run: null, result: null } }
      : { ...entry, answer }
  })
}

export function askOf({ calls }: SessionState, event: ElicitationRequest): Ask {
  return {
    seq: event.seq,
    id: event.ask,
    kind: event.kind,
    call: event.request,
    command: event.command,
    effective: event.effective,
    reasons: event.reasons,
    causes: event.causes,
    grade: event.grade,
    offer: event.offer,
    settings: event.settings,
    rest: restOfReply(
      calls.map(({ request }) => request),
      event.request,
    ),
    cwd: event.cwd,
    state: { phase: 'open' },
  }
}

/** A question is drawn on the call it is about; it stands for itself only where that is not loaded. */
export function elicitationRequest(
  { state, entries }: View,
  event: EventOf<'elicitation_request'>,
): EntryList {
  const ask = askOf(state, event)
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
  const { outcome, by, word = null, scope = null, moved } = event
  const ask: Ask = {
    ...askOf(state, open),
    state: { phase: 'answered', outcome, by, word, scope, ...(moved && { moved }) },
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

/** The commands of the same reply that wait behind one of its commands: its calls are done in order. */
export function restOfReply(open: readonly ToolRequest[], call: Seq): readonly string[] {
  const asked = open.find(({ seq }) => seq === call)
  if (!asked?.run || asked.step === null) return []
  return open.flatMap((request) =>
    request.step === asked.step && request.seq > call && request.run ? [request.run.command] : [],
  )
}
