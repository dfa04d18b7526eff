import { assertNever } from '../../protocol/assert-never.ts'
import type { Frame } from '../../protocol/frame.ts'

/** A frame as a server-sent event. JSON has no raw line break, so `data` is always one line. */
export function sseText(frame: Frame): string {
  switch (frame.type) {
    case 'event':
      return `id: ${frame.event.seq}\nevent: event\ndata: ${JSON.stringify(frame.event)}\n\n`
    case 'delta':
      return `event: delta\ndata: ${JSON.stringify(frame.delta)}\n\n`
    case 'live':
    case 'closed':
      return `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`
    default:
      return assertNever(frame)
  }
}

export const sseHeartbeat = ': still here\n\n'
