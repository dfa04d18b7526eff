import { noUsage } from '../../log/state.ts'
import { type GeminiPart, type GeminiPiece, parseGeminiChunk, refusal } from './gemini-chunk.ts'
import { writeCallOpaque } from './gemini-opaque.ts'
import { rawValue } from './gemini-raw-value.ts'
import { ModelError, type ReplyDelta } from './model.ts'

/** A streamed reply of Gemini’s, part by part. */
export async function* readGemini(
  stream: AsyncIterable<string>,
  who: string,
): AsyncIterable<ReplyDelta> {
  let calls = 0
  let usage = noUsage
  let finish: Finish | null = null
  for await (const data of stream) {
    const piece = parseGeminiChunk(data, who)
    for (const [index, part] of piece.parts.entries()) {
      if (part.functionCall) yield call(part, { index: calls++, args: argsIn(data, index) })
      else yield* spoken(part)
    }
    finish = piece.finish ?? finish
    usage = piece.usage ?? usage
  }
  yield { type: 'end', stop: stopOf(finish), usage }
}

/**
 * Text and thoughts come in pieces. One with a signature is a part of its own: signed and unsigned
 * ones must not be joined, and the signature may come with no text at all.
 */
function* spoken({ text, thought, thoughtSignature }: GeminiPart): Iterable<ReplyDelta> {
  const type = thought ? 'thinking' : 'text'
  if (!thoughtSignature) {
    if (text) yield { type, text }
    return
  }
  yield { type: 'close' }
  yield { type, text: text ?? '' }
  yield { type: 'close', opaque: thoughtSignature }
}

function argsIn(data: string, part: number): string {
  return rawValue(data, ['candidates', 0, 'content', 'parts', part, 'functionCall', 'args']) ?? '{}'
}

/** Gemini need not name its calls; we have to tell them apart. */
function call(
  { functionCall, thoughtSignature }: GeminiPart,
  { index, args }: { index: number; args: string },
): ReplyDelta {
  const id = functionCall?.id || undefined
  const theirs = {
    ...(id && { functionCallId: id }),
    ...(thoughtSignature && { thoughtSignature }),
  }
  return {
    type: 'call',
    id: id ?? `call_${index}`,
    name: functionCall?.name ?? '',
    args,
    ...(Object.keys(theirs).length > 0 && { opaque: writeCallOpaque(theirs) }),
  }
}

type Finish = NonNullable<GeminiPiece['finish']>

const refusals = /SAFETY|RECITATION|PROHIBITED_CONTENT|BLOCKLIST|SPII|MODEL_ARMOR/

function stopOf(finish: Finish | null): 'done' | 'length' {
  // A provider that closes without an end has been cut; that is not an empty reply.
  if (finish === null) throw new ModelError('The model’s reply was cut off.', { code: 'model_cut' })
  const { reason, message } = finish
  if (reason === 'STOP') return 'done'
  if (reason === 'MAX_TOKENS') return 'length'
  const why = message === '' ? reason : `${reason}: ${message}`
  if (refusals.test(reason)) throw refusal(`its reply was stopped (${why})`)
  const isBadCall = reason === 'MALFORMED_FUNCTION_CALL' || reason === 'UNEXPECTED_TOOL_CALL'
  const what = isBadCall
    ? 'The model wrote a call that cannot be understood'
    : 'The model stopped in the middle of its reply'
  // A bad call is bad luck: asked again, the model may well write a good one.
  throw new ModelError(`${what} (${why}).`, { code: 'model_failed', transient: isBadCall })
}
