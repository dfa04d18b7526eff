import type { Event } from '../protocol/event.ts'
import { append, type EntryList } from './entry-list.ts'
import type { Notice } from './entry.ts'
import { placed, type EventOf, type View } from './view.ts'

function note({ entries }: View, event: Event, notice: Notice): EntryList {
  return append(entries, { kind: 'notice', ...placed(event), notice })
}

/** That the first shell is there says nothing, unless it is only half understood or not where it should be. */
export function shellStart(view: View, event: EventOf<'shell_start'>): EntryList {
  const { shell, generation, cwd, integration, taken, notice } = event
  if (taken) return note(view, event, { type: 'shell_taken', shell, cwd, from: taken.session })
  if (generation === 1 && integration === 'full' && notice === undefined) return view.entries
  const started = { type: 'shell_started', shell, generation, cwd, integration } as const
  return note(view, event, notice === undefined ? started : { ...started, notice })
}

export function shellExit(view: View, event: EventOf<'shell_exit'>): EntryList {
  const { reason, exitCode, movedTo = null } = event
  return note(view, event, { type: 'shell_ended', reason, exitCode, movedTo })
}

export function shellAdopt(view: View, event: EventOf<'shell_adopt'>): EntryList {
  const { shell, place, cwd, command } = event
  return note(view, event, { type: 'shell_adopted', shell, place, cwd, command })
}

export function shellLeave(view: View, event: EventOf<'shell_leave'>): EntryList {
  return note(view, event, { type: 'shell_left', command: event.command, cwd: event.cwd })
}

export function epochStart(view: View, event: EventOf<'epoch_start'>): EntryList {
  return note(view, event, { type: 'model', model: event.model })
}

export function fault(view: View, event: EventOf<'error'>): EntryList {
  const { code, message, fatal, retryAfterMs } = event
  return note(view, event, { type: 'fault', code, message, fatal, retryAfterMs })
}

/** One event makes one entry at most: how commands are approved matters most, a title least. */
export function sessionUpdate(view: View, event: EventOf<'session_update'>): EntryList {
  if (event.approval !== undefined && event.approval !== view.state.approval)
    return note(view, event, { type: 'approval', mode: event.approval })
  if (event.private !== undefined && event.private !== view.state.private)
    return note(view, event, { type: 'private', on: event.private })
  if (event.next !== undefined) return note(view, event, { type: 'continued', session: event.next })
  return view.entries
}
