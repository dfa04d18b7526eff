import { assertNever } from '../../base/assert-never.ts'
import type { Delta, MessageDelta, ThinkingDelta, ToolUpdate } from '../../protocol/stream/delta.ts'
import { change, type EntryList } from './entry-list.ts'
import { extend, extendTail, noText } from './entry.ts'
import type { View } from './view.ts'

/** A delta only ever touches what is open; what is settled came from events alone. */
export function applyDelta(view: View, delta: Delta): View {
  switch (delta.type) {
    case 'message_delta':
      return withEntries(view, replyDelta(view, delta))
    case 'thinking_delta':
      return withEntries(view, thinkingDelta(view, delta))
    case 'tool_update':
      return withEntries(view, runDelta(view, delta))
    case 'terminal':
      return { ...view, terminal: delta }
    default:
      return assertNever(delta)
  }
}

function withEntries(view: View, entries: EntryList): View {
  return entries === view.entries ? view : { ...view, entries }
}

function replyDelta({ entries }: View, delta: MessageDelta): EntryList {
  return change(entries, delta.step, (entry) => {
    if (entry.kind !== 'reply' || entry.reply.phase !== 'open') return entry
    const live = extend(entry.reply.live, delta.offset, delta.text)
    return live === entry.reply.live ? entry : { ...entry, reply: { ...entry.reply, live } }
  })
}

/** A later attempt begins with nothing; what is left of an earlier one is not heard any more. */
function thinkingDelta({ entries }: View, delta: ThinkingDelta): EntryList {
  const { attempt, ms = null } = delta
  return change(entries, delta.step, (entry) => {
    if (entry.kind !== 'reply' || entry.reply.phase !== 'open') return entry
    const { thinking } = entry.reply
    if (thinking && attempt < thinking.attempt) return entry
    const before = thinking?.attempt === attempt ? thinking.live : noText
    const live = extend(before, delta.offset, delta.text)
    if (thinking?.live === live && thinking.ms === ms) return entry
    return { ...entry, reply: { ...entry.reply, thinking: { attempt, live, ms } } }
  })
}

function runDelta({ entries }: View, { request, output, status }: ToolUpdate): EntryList {
  return change(entries, request, (entry) => {
    if (entry.kind !== 'run' || entry.state.phase !== 'running') return entry
    const { state } = entry
    const live = output ? extendTail(state.live, output.offset, output.text) : state.live
    const note = status === undefined ? state.note : status === 'running' ? null : status
    return live === state.live && note === state.note
      ? entry
      : { ...entry, state: { ...state, live, note } }
  })
}
