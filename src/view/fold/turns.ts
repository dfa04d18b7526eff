import { clip, whole } from '../../base/text.ts'
import { type Message, textOf, thoughtsOf } from '../../protocol/events/message.ts'
import { limits } from '../../protocol/limits.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { append, change, type EntryList } from './entry-list.ts'
import type { ReplyEntry, Thoughts } from './entry.ts'
import { noText } from './live.ts'
import { placed, type EventOf, type View } from './view.ts'

export function message({ state, entries }: View, event: Message): EntryList {
  const text = textOf(event.parts)
  if (event.role === 'user')
    return event.synthetic
      ? append(entries, { kind: 'notice', ...placed(event), notice: { type: 'facts', text } })
      : append(entries, { kind: 'prompt', ...placed(event), text, state: 'sent' })
  const reply: ReplyEntry['reply'] = {
    phase: 'settled',
    text,
    stop: event.stop,
    ...settledThoughts(event),
  }
  // A client that joined in the middle of the step has no place for its reply yet.
  if (event.step === null || event.step !== state.step?.seq)
    return append(entries, { kind: 'reply', ...placed(event), reply })
  return change(entries, event.step, (entry) =>
    entry.kind === 'reply' ? { ...entry, reply } : entry,
  )
}

/** Less time than this is told by nobody; without words there is nothing else to tell. */
const noticedMs = 1_000

function settledThoughts(event: Message & { role: 'assistant' }): { thoughts?: Thoughts } {
  const text = clip(whole(thoughtsOf(event.parts)), limits.thoughtChars)
  const { thoughtMs: ms = null } = event
  return text !== '' || (ms ?? 0) >= noticedMs ? { thoughts: { text, ms } } : {}
}

/** The reply's place is taken here, so that it does not depend on which deltas arrive. */
export function stepStart({ state, entries }: View, event: EventOf<'step_start'>): EntryList {
  const taken = new Set(event.takes)
  const delivered = state.queue
    .filter((input) => taken.has(input.seq))
    .reduce((list, input) => move(list, input.seq, 'sent'), entries)
  return append(delivered, {
    kind: 'reply',
    ...placed(event),
    by: { kind: 'model' },
    reply: { phase: 'open', live: noText },
  })
}

export function stepEnd({ entries }: View, event: EventOf<'step_end'>): EntryList {
  return change(entries, event.start, (entry) =>
    entry.kind === 'reply' && entry.reply.phase === 'open'
      ? { ...entry, reply: { phase: 'settled', text: '', stop: 'lost' } }
      : entry,
  )
}

export function agentEnd({ entries }: View, event: EventOf<'agent_end'>): EntryList {
  const { reason, steps } = event
  if (reason === 'done') return entries
  const notice = { type: 'turn_ended', reason, steps } as const
  return append(entries, { kind: 'notice', ...placed(event), notice })
}

export function inputQueued({ entries }: View, event: EventOf<'input_queued'>): EntryList {
  const queued = append(entries, {
    kind: 'prompt',
    ...placed(event),
    text: event.text,
    state: 'queued',
  })
  return event.replaces === undefined ? queued : move(queued, event.replaces, 'withdrawn')
}

export function inputWithdrawn({ entries }: View, event: EventOf<'input_withdrawn'>): EntryList {
  return move(entries, event.queued, 'withdrawn')
}

function move(entries: EntryList, seq: Seq, state: 'sent' | 'withdrawn'): EntryList {
  return change(entries, seq, (entry) =>
    entry.kind === 'prompt' && entry.state === 'queued' ? { ...entry, state } : entry,
  )
}
