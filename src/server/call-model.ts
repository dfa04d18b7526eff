import { limits } from '../protocol/limits.ts'
import type { RawCall } from '../protocol/message.ts'
import { noUsage } from '../log/state.ts'
import type { ReplyEnded, ReplyError } from '../session/report.ts'
import { type Model, ModelError, type ModelRequest } from './model/model.ts'

export interface CallModelDeps {
  model: Model
  request: ModelRequest
  signal: AbortSignal
  /** Each piece of text as it comes. */
  onText(text: string): void
}

type Ending = Omit<ReplyEnded, 'type' | 'step' | 'witness'>

/** One request and its reply. However it ends, what has come so far is kept as it came. */
export async function callModel(deps: CallModelDeps): Promise<Ending> {
  const pieces: string[] = []
  const calls: RawCall[] = []
  const partial = () => ({ text: pieces.join(''), calls, usage: noUsage })
  let length = 0
  try {
    for await (const part of deps.model.reply(deps.request, { signal: deps.signal })) {
      deps.signal.throwIfAborted()
      if (part.type === 'end') return { ...partial(), stop: part.stop, usage: part.usage }
      if (part.type === 'call') calls.push(part.call)
      else {
        length += part.text.length
        if (length > limits.replyChars) return { ...partial(), stop: 'length' }
        pieces.push(part.text)
        deps.onText(part.text)
      }
    }
    throw new ModelError('The model’s reply was cut off.', { code: 'model_cut' })
  } catch (error) {
    if (deps.signal.aborted) return { ...partial(), stop: 'aborted' }
    return { ...partial(), stop: 'failed', error: replyError(error) }
  }
}

function replyError(error: unknown): ReplyError {
  if (error instanceof ModelError) {
    const { code, message, fatal, retryAfterMs } = error
    return { code, message, fatal, retryAfterMs }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'model_failed', message, fatal: false, retryAfterMs: null }
}

/** Saves the reply so far at most every `draftMs`: what a crash can cost. */
export function createDraftKeeper(save: (text: string) => void): {
  update(text: string): void
  /** Saves what is not saved yet, for whoever picks the reply up. */
  flush(): void
} {
  let timer: NodeJS.Timeout | null = null
  let latest = ''
  return {
    update(text) {
      latest = text
      timer ??= setTimeout(() => {
        timer = null
        save(latest)
      }, limits.draftMs)
    },
    flush() {
      if (timer === null) return
      clearTimeout(timer)
      timer = null
      save(latest)
    },
  }
}
