import {
  cutOff,
  ModelError,
  type Model,
  type ModelRequest,
  type ReplyDelta,
} from '../model/model.ts'
import { defaultReplyTimes, limits, type ReplyTimes } from '../../protocol/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { ReplyPart } from '../../protocol/events/message.ts'
import { noUsage } from '../../log/state.ts'
import { addUsage, hasUsage } from '../../log/meter.ts'
import type { ReplyEnded, ReplyError } from '../../session/record/report.ts'
import { createReplyAssembly } from '../model/assemble-reply.ts'
import { createThoughts, type ThoughtNews } from '../model/thoughts.ts'

/** Sent again at most this often. */
const maxRetries = 4

/** A provider that asks for more patience than this is not worth waiting for. */
const longestWaitMs = 60_000

/** How long to wait before the next attempt; null when another one would not help. */
function retryDelay(error: unknown, attempt: number, random: () => number): number | null {
  if (!(error instanceof ModelError) || !error.transient || attempt > maxRetries) return null
  const { retryAfterMs } = error
  if (retryAfterMs !== null) return retryAfterMs <= longestWaitMs ? Math.ceil(retryAfterMs) : null
  // Half of it by chance: clients that failed together do not come back together.
  const full = 1_000 * 2 ** (attempt - 1)
  return Math.round(full / 2 + (full / 2) * random())
}

/** Ends a reply that says nothing any more, or never ends. */
function createReplyTimer(outer: AbortSignal, { idleMs, totalMs }: ReplyTimes) {
  const controller = new AbortController()
  let why: ModelError | null = null
  let isAnswered = false

  /** A request that the server has begun to answer is at work, and paid for: nobody sends it again unasked. */
  function end(message: string): void {
    why = new ModelError(message, { code: 'model_silent', transient: !isAnswered })
    controller.abort(why)
  }

  const after = (ms: number, message: string) =>
    ms === 0 ? undefined : setTimeout(() => end(message), ms)
  const seconds = (ms: number) => Math.round(ms / 1_000)
  const silent = `The model has said nothing for ${seconds(idleMs)} s. The setting modelSilenceSeconds gives it longer.`
  let idle = after(idleMs, silent)
  const total = after(
    totalMs,
    `The model’s reply took more than ${seconds(totalMs)} s. The setting modelReplySeconds gives it longer.`,
  )

  return {
    /** Aborted by the caller’s own signal as well. */
    signal: AbortSignal.any([outer, controller.signal]),
    heard(): void {
      isAnswered = true
      clearTimeout(idle)
      idle = after(idleMs, silent)
    },
    /** Why it was ended by the time; null if it was not. */
    why: () => why,
    stop(): void {
      clearTimeout(idle)
      clearTimeout(total)
    },
  }
}

export interface CallModelDeps {
  model: Model
  request: ModelRequest
  signal: AbortSignal
  /** Each piece of text as it comes. */
  onText(text: string): void
  /** News of its thoughts; `attempt` counts from 1. */
  onThought?(news: ThoughtNews & { attempt: number }): void
  /** The same request will be sent again. */
  onRetry(error: ReplyError): void
  times?: ReplyTimes | undefined
  random?: () => number
  now?: () => number
}

type Ending = Omit<ReplyEnded, 'type' | 'step' | 'witness'>

/**
 * One request and its reply. However it ends, what has come so far is kept as it came. A failure that
 * may pass is tried again, but never once a word of the reply has been seen; thoughts do not count.
 */
export async function callModel(deps: CallModelDeps): Promise<Ending> {
  const { signal, random = Math.random } = deps
  let retried = noUsage
  const whole = (ending: Ending): Ending => ({ ...ending, ...(hasUsage(retried) && { retried }) })
  for (let attempt = 1; ; attempt++) {
    const ending = await attemptReply(deps, attempt)
    if (ending.stop !== 'failed' || ending.parts.some(isSeen)) return whole(ending)
    const waitMs = retryDelay(ending.cause, attempt, random)
    if (waitMs === null) return whole(ending)
    retried = addUsage(retried, ending.usage)
    deps.onRetry(retryOf(ending.error, attempt, waitMs))
    // The thoughts of before lead nowhere: nobody is shown them any longer.
    deps.onThought?.({ attempt: attempt + 1, text: '' })
    const isAborted = await delay(waitMs, false, { signal }).catch(() => true)
    if (isAborted) return whole({ parts: [], stop: 'aborted', usage: noUsage })
  }
}

/** Thoughts lead to nothing by themselves: a reply that was cut before its first word can be asked for again. */
function isSeen(part: ReplyPart): boolean {
  return part.type === 'call' || (part.type === 'text' && part.text !== '')
}

type Attempt = Ending & { cause?: unknown }

async function attemptReply(deps: CallModelDeps, attempt: number): Promise<Attempt> {
  const { model, request, signal, onText, times = defaultReplyTimes, now = Date.now } = deps
  const timer = createReplyTimer(signal, times)
  const assembly = createReplyAssembly()
  const tell = (news: ThoughtNews) => deps.onThought?.({ attempt, ...news })
  const thoughts = createThoughts({ now, tell })
  const partial = () => {
    const thoughtMs = thoughts.thoughtMs()
    const so = { parts: assembly.parts(), usage: assembly.usage() }
    return { ...so, ...(thoughtMs !== undefined && { thoughtMs }) }
  }
  let length = 0
  let calls = 0
  try {
    for await (const delta of model.reply(request, { signal: timer.signal, heard: timer.heard })) {
      timer.signal.throwIfAborted()
      timer.heard()
      thoughts.hear(delta)
      if (delta.type === 'end') return { ...partial(), stop: delta.stop, usage: delta.usage }
      length += sizeOf(delta)
      if (length > limits.replyChars) return { ...partial(), stop: 'length' }
      if (delta.type === 'call' && ++calls > limits.replyCalls) throw tooManyCalls
      assembly.add(delta)
      if (delta.type === 'text') onText(delta.text)
    }
    throw cutOff()
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
  if (delta.type === 'usage') return 1
  const chars = Object.values(delta).reduce((sum, text = '') => sum + text.length, 0)
  return chars - delta.type.length + 1
}

function replyError(error: unknown): ReplyError {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof ModelError ? error.code : 'model_failed'
  return { code, message, fatal: false, retryAfterMs: null }
}

function retryOf(error: ReplyError | undefined, attempt: number, waitMs: number): ReplyError {
  const message = error?.message ?? 'The model did not answer.'
  const again = `Trying again in ${Math.ceil(waitMs / 1_000)} s (${attempt} of ${maxRetries}).`
  const said = `${message} ${again}`
  return { code: 'model_retry', message: said, fatal: false, retryAfterMs: waitMs }
}

/** Saves the reply so far at most every `draftMs`: what a crash can cost. */
export function createDraftSaver(save: (text: string) => void) {
  let timer: NodeJS.Timeout | null = null
  let latest = ''
  return {
    update(text: string): void {
      latest = text
      timer ??= setTimeout(() => {
        timer = null
        save(latest)
      }, limits.draftMs)
    },
    /** Saves what is not saved yet, for whoever picks the reply up. */
    flush(): void {
      if (timer === null) return
      clearTimeout(timer)
      timer = null
      save(latest)
    },
  }
}
