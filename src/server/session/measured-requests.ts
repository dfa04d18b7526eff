import { createHash, type Hash } from 'node:crypto'
import type { Event } from '../../protocol/events/event.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { Witness, RequestMeasure } from '../../protocol/events/turn.ts'
import {
  type Conversation,
  createConversation,
  type Block,
} from '../../session/conversation/conversation.ts'
import { withKnownIds, withAuthors } from '../../session/conversation/sent-block.ts'
import type { ModelRequest, Wire } from '../model/model.ts'
import { wireOf } from '../model/wires.ts'
import { readPages } from '../store/read-log.ts'
import type { EventStore } from '../store/store.ts'

/** Keeps a session's conversation, built from the log when a step first needs it. */
export interface MeasuredRequests {
  /** Follows the events; each request that begins is measured, and its event says how it measured. */
  follow(events: readonly Event[]): Promise<readonly Event[]>
  /** Drops what is in memory: the store is the truth. */
  forget(): void
  request(): ModelRequest
  witness(): Witness
}

export function createMeasuredRequests(store: EventStore, session: SessionId): MeasuredRequests {
  let built: { conversation: Conversation; meter: ReturnType<typeof createRequestMeter> } | null =
    null

  /** The log ends before the events that are to follow. */
  async function load(): Promise<NonNullable<typeof built>> {
    const conversation = createConversation()
    const meter = createRequestMeter()
    for await (const events of readPages(store, session))
      for (const event of events) {
        conversation.apply(event)
        if (event.type === 'step_start') meter.check(conversation, event.request)
      }
    return { conversation, meter }
  }

  function open(): NonNullable<typeof built> {
    if (built === null) throw new Error('no request has been measured in this session')
    return built
  }

  return {
    async follow(events) {
      const { conversation, meter } = (built ??= await load())
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

interface Written {
  setup: ModelRequest['setup']
  wire: Wire
  messages: string[]
  /** The event that each message came from. */
  owners: number[]
  blocks: number
  hash: Hash
  bytes: number
  /** Messages and bytes of the request before this one. */
  last: { messages: number; bytes: number }
}

/** Writes each request message by message, and holds it against the one before. */
export function createRequestMeter() {
  let written: Written | null = null
  let difference: string | null = null

  /** The conversation as it is now. Costs only what is new since last time. */
  function measure(conversation: Conversation): RequestMeasure {
    const { setup } = conversation
    if (setup === null) throw new Error('a step began without an epoch')
    // Another epoch: nothing before it has to be a prefix of what follows.
    if (written?.setup !== setup) written = open(setup)
    const before = written.messages.length
    written.last = { messages: before, bytes: before === 0 ? 0 : written.bytes }
    for (const block of conversation.blocks.slice(written.blocks)) write(written, block)
    const added = written.messages.slice(before).map(shortHash)
    return { bytes: written.bytes, hash: written.hash.copy().digest('hex'), added }
  }

  function measured(): Written {
    if (written === null) throw new Error('no request has been measured in this session')
    return written
  }

  return {
    measure,
    /** Holds a replayed request against what was stored when it was sent. */
    check(conversation: Conversation, stored: RequestMeasure): void {
      const now = measure(conversation)
      if (now.hash === stored.hash || difference !== null) return
      difference = firstDifference(measured(), now, stored)
    },
    /** The request that was measured last, to be sent. */
    request(): ModelRequest {
      const { setup, messages, last } = measured()
      return { setup, messages: [...messages], sent: last.messages }
    },
    /** How it stands to the one before. */
    witness(): Witness {
      const firstDifference = difference
      // Said once: from here on the request as it is now is the one to extend.
      difference = null
      const prefixBytes = written?.last.bytes ?? 0
      if (firstDifference === null) return { prefixBytes, ok: true }
      return { prefixBytes: 0, ok: false, firstDifference }
    },
  }
}

function open(setup: ModelRequest['setup']): Written {
  const written: Written = {
    setup,
    wire: wireOf(setup.adapter),
    messages: [],
    owners: [],
    blocks: 0,
    hash: createHash('sha256'),
    bytes: 0,
    last: { messages: 0, bytes: 0 },
  }
  count(written, JSON.stringify(setup))
  return written
}

function write(written: Written, block: Block): void {
  const { wire, setup } = written
  const known = withAuthors(withKnownIds(block, setup), setup)
  const messages = known.kind === 'taken' ? wire.taken(known, setup) : wire.reply(known, setup)
  for (const message of messages) {
    written.messages.push(message)
    written.owners.push(block.seq)
    count(written, message)
  }
  written.blocks++
}

function count(written: Written, line: string): void {
  const encoded = Buffer.from(`${line}\n`)
  written.hash.update(encoded)
  written.bytes += encoded.length
}

function shortHash(message: string): string {
  return createHash('sha256').update(message).digest('hex').slice(0, 12)
}

function firstDifference(
  { messages, owners, last }: Written,
  now: RequestMeasure,
  stored: RequestMeasure,
): string {
  const at = now.added.findIndex((hash, index) => hash !== stored.added[index])
  if (at === -1 && now.added.length === stored.added.length)
    return 'the system prompt or the tools are written differently than when they were sent'
  const index = last.messages + (at === -1 ? now.added.length : at)
  const owner = owners[index]
  const where = `message ${index + 1} of ${messages.length}`
  return `${where}${owner === undefined ? '' : ` (event ${owner})`} is written differently than when it was sent`
}
