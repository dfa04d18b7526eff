import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { Delta } from '../protocol/delta.ts'
import { Event } from '../protocol/event.ts'
import { Frame } from '../protocol/frame.ts'
import { ClientError } from './client-error.ts'

/** Server-sent text → frames, as they become complete. */
export function createFrameReader(): (text: string) => Frame[] {
  let ready: Frame[] = []
  const parser = createParser({ onEvent: (message) => ready.push(parse(message)) })
  return (text) => {
    parser.feed(text)
    const frames = ready
    ready = []
    return frames
  }
}

/** A whole message that is no frame stays one: asking again would bring it again. */
function parse(message: EventSourceMessage): Frame {
  try {
    return frameOf(message)
  } catch (cause) {
    throw new ClientError(
      'the session sent something this client does not know: is the server of another version?',
      { kind: 'garbled', status: 200 },
      { cause },
    )
  }
}

function frameOf({ event, data }: EventSourceMessage): Frame {
  const value: unknown = JSON.parse(data)
  if (event === 'event') return { type: 'event', event: Event.parse(value) }
  if (event === 'delta') return { type: 'delta', delta: Delta.parse(value) }
  return Frame.parse(value)
}
