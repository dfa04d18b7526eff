import { append, change, type EntryList } from './entry-list.ts'
import type { CallEntry, Entry, FromTag, RunEntry } from './entry.ts'
import { noText } from './live.ts'
import { placed, type EventOf, type View } from './view.ts'

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
  const state: RunEntry['state'] = {
    phase: 'running',
    run,
    startedAt: event.at,
    live: noText,
    note: null,
  }
  if (event.request !== null)
    return change(entries, event.request, (entry) =>
      entry.kind === 'run'
        ? // What runs may be an edited command, and only the shell knows where.
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
