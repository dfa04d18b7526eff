import { z } from 'zod'
import type { Usage } from '../../../protocol/events/turn.ts'
import { checkSaid, cutOff, ModelError, parseJson, refusal, type ReplyDelta } from '../model.ts'
import { providerError } from '../transport/post.ts'
import { noUsage } from '../../../log/state.ts'
import { type CallOpaque, unsigned } from './wire.ts'
import { rawValue } from './raw-value.ts'

const GeminiPart = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  /** Its arguments are taken from the raw text instead. */
  functionCall: z.object({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
})
type GeminiPart = z.infer<typeof GeminiPart>

const Candidate = z.object({
  content: z.object({ parts: z.array(GeminiPart).nullish() }).nullish(),
  finishReason: z.string().nullish(),
  finishMessage: z.string().nullish(),
})

const tokens = z.number().catch(0)

const UsageMetadata = z.object({
  promptTokenCount: tokens,
  cachedContentTokenCount: tokens,
  candidatesTokenCount: tokens,
  thoughtsTokenCount: tokens,
  toolUsePromptTokenCount: tokens,
})

const GeminiChunk = z.object({
  // Null is the empty list of servers in Go that pass Gemini on.
  candidates: z.array(Candidate).nullish(),
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: UsageMetadata.nullish(),
  error: z.object({ code: z.number().default(500) }).optional(),
})

/** An answer that is an error in one piece, or null. */
export function geminiError(who: string, value: unknown): ModelError | null {
  const one: unknown = Array.isArray(value) ? value[0] : value
  const code = GeminiChunk.safeParse(one).data?.error?.code
  return code === undefined ? null : providerError(who, code, JSON.stringify(one))
}

/** One event of the stream. An error in it means what the same one would mean instead of a stream. */
function parseGeminiChunk(data: string, who: string) {
  const parsed = GeminiChunk.safeParse(parseJson(data))
  if (!parsed.success)
    throw new ModelError(`${who} sent something that is not a piece of a reply.`, {
      code: 'model_failed',
    })
  const { error, promptFeedback, candidates, usageMetadata } = parsed.data
  if (error) throw providerError(who, error.code, data)
  const blocked = promptFeedback?.blockReason
  if (blocked) throw refusal(`the prompt was blocked (${blocked}).`)
  const { content, finishReason: reason, finishMessage: message } = candidates?.[0] ?? {}
  return {
    parts: content?.parts ?? [],
    /** Null while there is more to come. */
    finish: reason ? { reason, message: message ?? '' } : null,
    usage: usageMetadata ? toUsage(usageMetadata) : null,
  }
}

function toUsage(usage: z.infer<typeof UsageMetadata>): Usage {
  return {
    input: usage.promptTokenCount + usage.toolUsePromptTokenCount,
    output: usage.candidatesTokenCount + usage.thoughtsTokenCount,
    cacheRead: usage.cachedContentTokenCount,
    cacheWrite: 0,
  }
}

/** A streamed reply of Gemini’s, part by part. */
export async function* readGemini(
  stream: AsyncIterable<string>,
  who: string,
): AsyncIterable<ReplyDelta> {
  let usage = noUsage
  let finish: Finish | null = null
  let hasCall = false
  let hasWord = false
  for await (const data of stream) {
    // Gemini does not say so, but servers that pass it on may.
    if (data === '[DONE]') break
    const piece = parseGeminiChunk(data, who)
    if (piece.usage) yield { type: 'usage', usage: piece.usage }
    yield* deltasOf(piece, data)
    hasCall ||= piece.parts.some(({ functionCall }) => functionCall)
    hasWord ||= piece.parts.some(({ text, thought }) => text && !thought)
    finish = piece.finish ?? finish
    usage = piece.usage ?? usage
  }
  const stop = stopOf(finish)
  if (!hasCall && isUndeclared(finish)) yield undeclared(finish)
  else if (stop === 'done') checkSaid(hasCall || hasWord)
  yield { type: 'end', stop, usage }
}

function* deltasOf({ parts }: { parts: readonly GeminiPart[] }, data: string) {
  for (const [index, part] of parts.entries())
    yield* part.functionCall ? [call(part, argsIn(data, index))] : spoken(part)
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

/** Gemini need not name its calls. */
function call({ functionCall, thoughtSignature }: GeminiPart, args: string): ReplyDelta {
  const id = functionCall?.id || undefined
  const theirs: CallOpaque = {
    ...(id && { functionCallId: id }),
    ...(thoughtSignature && { thoughtSignature }),
  }
  return {
    type: 'call',
    id: id ?? '',
    name: functionCall?.name ?? '',
    args,
    ...(Object.keys(theirs).length > 0 && { opaque: JSON.stringify(theirs) }),
  }
}

/**
 * A call of a tool that the request does not declare, as a session with tags declares none. It is told to the model like
 * any other tool that is not there: asked again, it would do the same.
 */
function isUndeclared(finish: Finish | null): finish is Finish {
  return finish?.reason === 'UNEXPECTED_TOOL_CALL'
}

/** Google may only say which tool it was: “Model tried to call an undeclared function: list_files”. */
function undeclared({ message }: Finish): ReplyDelta {
  const [, name = 'unknown'] = /function: ([\w.:-]{1,64})/.exec(message) ?? []
  const opaque: CallOpaque = { thoughtSignature: unsigned }
  return { type: 'call', id: '', name, args: '{}', opaque: JSON.stringify(opaque) }
}

type Finish = NonNullable<ReturnType<typeof parseGeminiChunk>['finish']>

const refusals = /SAFETY|RECITATION|PROHIBITED_CONTENT|BLOCKLIST|SPII|MODEL_ARMOR/

function stopOf(finish: Finish | null): 'done' | 'length' {
  if (finish === null) throw cutOff()
  const { reason, message } = finish
  if (reason === 'STOP' || isUndeclared(finish)) return 'done'
  if (reason === 'MAX_TOKENS' || reason === 'CONTINUATION') return 'length'
  const why = message === '' ? reason : `${reason}: ${message}`
  if (refusals.test(reason)) throw refusal(`its reply was stopped (${why}).`)
  const isBadCall = reason === 'MALFORMED_FUNCTION_CALL'
  const what = isBadCall
    ? 'The model wrote a call that cannot be understood'
    : 'The model stopped in the middle of its reply'
  // A bad call is bad luck: asked again, the model may well write a good one.
  throw new ModelError(`${what} (${why}).`, { code: 'model_failed', transient: isBadCall })
}
