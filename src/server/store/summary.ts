import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { SessionSummary } from './store.ts'

/** The summary after this batch. */
export function summarise(
  id: SessionId,
  known: SessionSummary | null,
  { events, live = false }: { events: readonly Event[]; live?: boolean | undefined },
): SessionSummary {
  let summary = known
  for (const event of events) {
    if (event.type === 'session_start') {
      const { team, workspace, title, at, seq } = event
      const times = { createdAt: at, updatedAt: at, head: seq }
      summary = { id, team, workspace, title, ...times, preview: null, live }
    } else if (summary) {
      const title = (event.type === 'session_update' ? event.title : undefined) ?? summary.title
      const preview = summary.preview ?? previewOf(event)
      summary = { ...summary, title, preview, updatedAt: event.at, head: event.seq, live }
    }
  }
  if (!summary) throw new Error(`session ${id} has no session_start`)
  return summary
}

/** One line of a list holds no more. */
const previewChars = 100

function previewOf(event: Event): string | null {
  const text = saidIn(event)?.trim().split('\n', 1)[0]
  return text ? text.slice(0, previewChars) : null
}

function saidIn(event: Event): string | null {
  if (event.type === 'tool_request')
    return event.meta.isClientInitiated && !event.run?.private ? event.args : null
  if (event.type === 'input_queued') return event.text
  if (event.type !== 'message' || event.role !== 'user' || event.synthetic) return null
  const [first] = event.parts
  return first?.type === 'text' ? first.text : null
}
