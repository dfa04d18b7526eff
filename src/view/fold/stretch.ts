import type { Event } from '../../protocol/events/event.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { applyEvent } from './entries.ts'
import { eachEntry, findEntry, listOf, type EntryList } from './entry-list.ts'
import { emptyView, type View } from './view.ts'
import { assertNever } from '../../base/assert-never.ts'

/** The end of a log, as far back as it was loaded, so that more can be put before it. */
export interface Stretch {
  view: View
  /** The seq it begins with; 1 when nothing is older. */
  first: Seq
  /** Its events that also concern what came before it: few, whatever its length. */
  loose: readonly Event[]
}

export function emptyStretch(first: Seq): Stretch {
  return { view: emptyView, first, loose: [] }
}

/** The next event of the log. */
export function extendStretch(stretch: Stretch, event: Event): Stretch {
  if (event.seq <= stretch.view.state.head) return stretch
  const { first, loose } = stretch
  return {
    view: applyEvent(stretch.view, event),
    first,
    loose: isLoose(event, first, loose) ? [...loose, event] : loose,
  }
}

/**
 * Puts the events that come right before it in front. Only these and the loose ones are folded; what
 * is there already stays as it is, with the text that is still growing in it.
 */
export function prependStretch(stretch: Stretch, events: readonly Event[]): Stretch {
  const { view, loose } = stretch
  const [earliest] = events
  if (earliest === undefined) return stretch
  const older = [...events, ...loose].reduce(extendStretch, emptyStretch(earliest.seq))
  return {
    view: {
      ...view,
      entries: joined(older.view.entries, stretch),
      lastTurn: view.lastTurn ?? older.view.lastTurn,
      lastRequest: view.lastRequest ?? older.view.lastRequest,
    },
    first: older.first,
    loose: older.loose,
  }
}

/** The older fold knows best which entries loose events make; the younger how all others look. */
function joined(older: EntryList, { view, first, loose }: Stretch): EntryList {
  const remade = new Set(loose.map((event) => event.seq))
  const before = [...eachEntry(older)].filter(
    ({ seq }) => seq < first || findEntry(view.entries, seq) === undefined,
  )
  const kept = [...eachEntry(view.entries)].filter(
    ({ seq }) => !remade.has(seq) || findEntry(older, seq) !== undefined,
  )
  const all = [...before, ...kept]
  // Nearly always in order: a loose event rarely makes an entry that was not there.
  return listOf(all.every(({ seq }, at) => seq > (all[at - 1]?.seq ?? 0)) ? all : all.sort(bySeq))
}

const bySeq = (a: { seq: Seq }, b: { seq: Seq }) => a.seq - b.seq

/**
 * Whether an event changes, or is drawn by, something that came before `first`: it has to be folded
 * again when that is there. So has what speaks of an event that is loose itself.
 */
function isLoose(event: Event, first: Seq, loose: readonly Event[]): boolean {
  if (first === 1) return false
  return (
    turnsSetting(event) ||
    spokenOf(event).some((seq) => seq < first || loose.some((other) => other.seq === seq))
  )
}

/** It is told only where the setting was another before. */
function turnsSetting(event: Event): boolean {
  return (
    event.type === 'session_update' && (event.approval !== undefined || event.private !== undefined)
  )
}

/** The earlier events that an event's entry, or its effect on entries, depends on. */
function spokenOf(event: Event): readonly Seq[] {
  switch (event.type) {
    case 'session_start':
    case 'session_update':
    case 'epoch_start':
    case 'shell_start':
    case 'shell_exit':
    case 'shell_adopt':
    case 'shell_leave':
    case 'agent_start':
    case 'agent_end':
    case 'tool_request':
    case 'error':
      return []
    case 'input_queued':
      return event.replaces === undefined ? [] : [event.replaces]
    case 'input_withdrawn':
      return [event.queued]
    case 'message':
      return event.role === 'assistant' && event.step !== null ? [event.step] : []
    case 'step_start':
      return event.takes
    case 'step_end':
    case 'run_end':
      return [event.start]
    case 'run_start':
      return event.request === null ? [] : [event.request]
    case 'tool_response':
    case 'elicitation_request':
    case 'elicitation_response':
      return [event.request]
    default:
      return assertNever(event)
  }
}
