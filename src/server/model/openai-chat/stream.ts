import type { Usage } from '../../../protocol/events/turn.ts'
import { limits } from '../../../protocol/limits.ts'
import { checkSaid, cutOff, ModelError, refusal, type ReplyDelta, unknownReason } from '../model.ts'
import { createCallAssembly } from './call-assembly.ts'
import { type Chunk, type ContentPart, count, type Delta, parseChunk } from './chunk.ts'
import { createDetails, wordsOf } from './details.ts'
import { createTextThoughts } from './text-thoughts.ts'
import { type DetailsOpaque, replayedThought } from './wire.ts'

/** A streamed chat completion as what it says. Without a reason for its end it was cut off. */
export async function* readChat(
  stream: AsyncIterable<string>,
  who: string,
): AsyncIterable<ReplyDelta> {
  const reply = createChatReply()
  try {
    for await (const data of stream) {
      if (data === '[DONE]') {
        reply.isOver()
        break
      }
      yield* reply.take(parseChunk(who, data))
      if (reply.isTooLong()) break
    }
  } catch (error) {
    const isCut = error instanceof ModelError && error.code === 'model_cut'
    // Broken after its end: nothing of the reply is missing.
    if (!isCut || !reply.isFinished()) throw error
  }
  yield* reply.ending()
}

/** Keeps calls and usage until the end is known. */
function createChatReply() {
  const calls = createCallAssembly()
  const details = createDetails()
  const texts = createTextThoughts()
  const usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  let finish = ''
  let refused = ''
  /** A thought that its server wants back is being sent. */
  let isThinking = false

  function* closed(): Iterable<ReplyDelta> {
    if (isThinking) yield { type: 'close', opaque: replayedThought }
    isThinking = false
  }

  const isTooLong = () => calls.isTooLong() || details.length() > limits.replyChars

  /** Known only at the end: a signature may come after the words that it led to. */
  function* detailed(): Iterable<ReplyDelta> {
    const opaque: DetailsOpaque = { reasoning_details: [...details.all()] }
    if (opaque.reasoning_details.length === 0) return
    yield { type: 'close' }
    yield { type: 'thinking', text: '' }
    yield { type: 'close', opaque: JSON.stringify(opaque) }
  }

  function* spoken(delta: Delta): Iterable<ReplyDelta> {
    for (const piece of said(delta)) {
      if (piece.type === 'text') {
        yield* closed()
        yield* texts.add(piece.text)
        continue
      }
      if (delta.reasoning_content) isThinking = true
      texts.thought()
      yield piece
    }
  }

  function keep(delta: Delta): void {
    refused += delta.refusal ?? ''
    for (const piece of delta.tool_calls ?? []) calls.add(piece)
    for (const piece of delta.reasoning_details ?? []) details.add(piece)
  }

  function* take(chunk: Chunk): Iterable<ReplyDelta> {
    for (const { delta, finish_reason: reason } of chunk.choices ?? []) {
      if (delta) yield* spoken(delta)
      if (delta) keep(delta)
      // Old versions of Ollama write an empty one into every chunk.
      finish = reason || finish
    }
    count(usage, chunk)
    if (chunk.usage) yield { type: 'usage', usage: { ...usage } }
    if (isTooLong()) finish = 'length'
  }

  return {
    take,
    isTooLong,
    isFinished: () => finish !== '',
    /** A server that says so has ended, also if it gave no reason. */
    isOver(): void {
      finish ||= 'stop'
    },
    *ending(): Iterable<ReplyDelta> {
      if (refused !== '') throw refusal(refused)
      const stop = stopOf(finish)
      yield* closed()
      yield* texts.end()
      yield* detailed()
      const made = calls.calls()
      if (stop === 'done') checkSaid(texts.hasWord() || made.length > 0)
      yield* made
      yield { type: 'end', stop, usage }
    },
  }
}

type Said = Extract<ReplyDelta, { type: 'text' | 'thinking' }>

function* said({ content, ...thoughts }: Delta): Iterable<Said> {
  // A server that changes the name may send both for a while, with the same words.
  const { reasoning_content, reasoning, reasoning_details: details } = thoughts
  const thought = reasoning_content || reasoning || (details ?? []).map(wordsOf).join('')
  if (thought) yield { type: 'thinking', text: thought }
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  for (const part of parts) yield* saidPart(part)
}

function* saidPart({ type, text, thinking = [] }: ContentPart) {
  if (type === 'text' && text) yield { type, text } as const
  for (const { text: thought } of thinking)
    if (thought) yield { type: 'thinking', text: thought } as const
}

const ends: ReadonlyMap<string, 'done' | 'length'> = new Map([
  ['stop', 'done'],
  ['tool_calls', 'done'],
  ['function_call', 'done'],
  // Together, TGI, and servers that pass Anthropic’s words on.
  ['eos', 'done'],
  ['eos_token', 'done'],
  ['stop_sequence', 'done'],
  ['end_turn', 'done'],
  ['tool_use', 'done'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['continuation', 'length'],
])

function stopOf(finish: string): 'done' | 'length' {
  const reason = finish.toLowerCase()
  const stop = ends.get(reason)
  if (stop !== undefined) return stop
  // Google’s compatible endpoint says behind it what was found.
  if (reason.startsWith('content_filter'))
    throw refusal(`its content filter stopped the reply${found(finish)}`)
  if (reason.includes('malformed_function_call')) throw badCall(finish)
  // vLLM says abort.
  if (reason === '' || reason === 'abort' || reason === 'error') throw cutOff()
  if (reason === 'insufficient_system_resource')
    throw new ModelError(`The model’s server is overloaded (${finish}).`, {
      code: 'model_overloaded',
      transient: true,
    })
  throw unknownReason(finish)
}

function found(finish: string): string {
  const [, what = ''] = finish.split(/:\s*/)
  return what === '' ? '' : ` (${what.slice(0, 100)})`
}

/** Bad luck: asked again, the model may well write a good one. */
function badCall(finish: string): ModelError {
  const message = `The model wrote a call that cannot be understood (${finish.slice(0, 100)}).`
  return new ModelError(message, { code: 'model_failed', transient: true })
}
