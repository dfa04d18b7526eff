import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../protocol/limits.ts'
import { noUsage } from '../log/state.ts'
import type { ReplyEnded, ReplyError } from '../session/report.ts'
import { createReplyAssembly } from './model/assemble-reply.ts'
import { type Model, ModelError, type ModelRequest, type ReplyDelta } from './model/model.ts'
import { maxRetries, retryDelay } from './model/retry.ts'
import { createReplyTimer, type ReplyTimes } from './model/reply-timer.ts'

export interface CallModelDeps {
  model: Model
  request: ModelRequest
  signal: AbortSignal
  /** Each piece of text as it comes. */
  onText(text: string): void
  /** The same request will be sent again. */
  onRetry(error: ReplyError): void
  times?: ReplyTimes
  random?: () => number
}

type Ending = Omit<ReplyEnded, 'type' | 'step' | 'witness'>

/**
 * One request and its reply. However it ends, what has come so far is kept as it came. A failure that
 * may pass is tried again, but never once a word of the reply has been seen.
 */
export async function callModel(deps: CallModelDeps): Promise<Ending> {
  const { signal, random = Math.random } = deps
  for (let attempt = 1; ; attempt++) {
    const ending = await attemptReply(deps)
    if (ending.stop !== 'failed' || ending.parts.length > 0) return ending
    const waitMs = retryDelay(ending.cause, { attempt, random })
    if (waitMs === null) return ending
    deps.onRetry(retryOf(ending.error, { attempt, waitMs }))
    const isAborted = await delay(waitMs, false, { signal }).catch(() => true)
    if (isAborted) return { parts: [], stop: 'aborted', usage: noUsage }
  }
}

type Attempt = Ending & { cause?: unknown }

async function attemptReply({
  model,
  request,
  signal,
  onText,
  times,
}: CallModelDeps): Promise<Attempt> {
  const timer = createReplyTimer(signal, times)
  const assembly = createReplyAssembly()
  const partial = () => ({ parts: assembly.parts(), usage: noUsage })
  let length = 0
  let calls = 0
  try {
    for await (const delta of model.reply(request, { signal: timer.signal, heard: timer.heard })) {
      timer.signal.throwIfAborted()
      timer.heard()
      if (delta.type === 'end') return { ...partial(), stop: delta.stop, usage: delta.usage }
      length += sizeOf(delta)
      if (length > limits.replyChars) return { ...partial(), stop: 'length' }
      if (delta.type === 'call' && ++calls > limits.replyCalls) throw tooManyCalls
      assembly.add(delta)
      if (delta.type === 'text') onText(delta.text)
    }
    throw new ModelError('The model’s reply was cut off.', { code: 'model_cut' })
  } catch (thrown) {
    if (signal.aborted) return { ...partial(), stop: 'aborted' }
    const cause = timer.why() ?? thrown
    return { ...partial(), stop: 'failed', error: replyError(cause), cause }
  } finally {
    timer.stop()
  }
}

const tooManyCalls = new ModelError(
  `The reply asks for more than ${limits.replyCalls} things at once, so nothing of it was run.`,
  { code: 'model_failed' },
)

/** Also what says nothing has a size: there must be an end to it. */
function sizeOf(delta: Exclude<ReplyDelta, { type: 'end' }>): number {
  const chars = Object.values(delta).reduce((sum, text = '') => sum + text.length, 0)
  return chars - delta.type.length + 1
}

function replyError(error: unknown): ReplyError {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof ModelError ? error.code : 'model_failed'
  return { code, message, fatal: false, retryAfterMs: null }
}

function retryOf(
  error: ReplyError | undefined,
  { attempt, waitMs }: { attempt: number; waitMs: number },
): ReplyError {
  const message = error?.message ?? 'The model did not answer.'
  const again = `Trying again in ${Math.ceil(waitMs / 1_000)} s (${attempt} of ${maxRetries}).`
  return {
    code: 'model_retry',
    message: `${message} ${again}`,
    fatal: false,
    retryAfterMs: waitMs,
  }
}
