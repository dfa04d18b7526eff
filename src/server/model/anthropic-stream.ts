import { limits } from '../../protocol/limits.ts'
import { createBlockReader } from './anthropic-block.ts'
import { parseEvent } from './anthropic-event.ts'
import { createTally } from './anthropic-tally.ts'
import { ModelError, type ReplyDelta } from './model.ts'

/** A streamed reply, event by event. */
export async function* readAnthropic(
  events: AsyncIterable<string>,
  who: string,
): AsyncIterable<ReplyDelta> {
  const block = createBlockReader()
  const tally = createTally(who)
  for await (const data of events) {
    const event = parseEvent(data)
    tally.hear(event)
    yield* block.read(event)
    const stop = block.held() > limits.replyChars ? 'length' : tally.stop()
    if (stop !== null) return yield { type: 'end', stop, usage: tally.usage() }
  }
  // A provider that closes without an end has been cut; that is not an empty reply.
  throw new ModelError('The model’s reply was cut off.', { code: 'model_cut' })
}
