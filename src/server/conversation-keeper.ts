import type { Event } from '../protocol/event.ts'
import type { Head, SessionId } from '../protocol/seq.ts'
import type { Witness } from '../protocol/turn.ts'
import { type Conversation, createConversation } from '../session/conversation.ts'
import { createRequestMeter, type RequestMeter } from './request-meter.ts'
import type { ModelRequest } from './model/model.ts'
import type { EventStore } from './store/store.ts'

/** Keeps a session's conversation, built from the log when a step first needs it. */
export interface ConversationKeeper {
  /** Follows the events; each request that begins is measured, and its event says how it measured. */
  seal(events: readonly Event[]): Promise<readonly Event[]>
  /** Drops what is in memory: the store is the truth. */
  forget(): void
  request(): ModelRequest
  witness(): Witness
}

const page = 1_000

export function createConversationKeeper(
  store: EventStore,
  session: SessionId,
): ConversationKeeper {
  let built: { conversation: Conversation; meter: RequestMeter } | null = null

  async function load(before: Head): Promise<NonNullable<typeof built>> {
    const conversation = createConversation()
    const meter = createRequestMeter()
    for (let after = 0; after < before;) {
      const events = await store.read(session, { after, limit: page })
      for (const event of events) {
        conversation.apply(event)
        if (event.type === 'step_start') meter.check(conversation, event.request)
      }
      const last = events.at(-1)
      if (last === undefined) break
      after = last.seq
    }
    return { conversation, meter }
  }

  function open(): NonNullable<typeof built> {
    if (built === null) throw new Error('no request has been measured in this session')
    return built
  }

  return {
    async seal(events) {
      const first = events[0]
      const hasStep = events.some((event) => event.type === 'step_start')
      // A session of commands only never needs a conversation.
      if (first === undefined || (built === null && !hasStep)) return events
      const { conversation, meter } = (built ??= await load(first.seq - 1))
      return events.map((event) => {
        conversation.apply(event)
        return event.type === 'step_start'
          ? { ...event, request: meter.measure(conversation) }
          : event
      })
    },
    forget() {
      built = null
    },
    request: () => open().meter.request(),
    witness: () => open().meter.witness(),
  }
}
