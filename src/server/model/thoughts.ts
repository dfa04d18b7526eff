import { headOf } from '../../base/text.ts'
import { betweenThoughts } from '../../protocol/events/message.ts'
import { limits } from '../../protocol/limits.ts'
import type { ReplyDelta } from './model.ts'

/** News of the thoughts of one attempt: more words, or how long they took once they are over. */
export interface ThoughtNews {
  text: string
  ms?: number
}

interface ThoughtsDeps {
  now(): number
  tell(news: ThoughtNews): void
}

/**
 * Follows the thoughts in a reply. Thinking takes from the end of what came before it, or from the request, to its
 * last sign: the time of a call's arguments, which come unseen, is none of it.
 */
export function createThoughts({ now, tell }: ThoughtsDeps) {
  let phase: 'silent' | 'thinking' | 'thought' = 'silent'
  const began = now()
  let from = began
  let until = from
  let past: number | undefined
  let told = 0
  let needsBreak = false

  /** All so far; undefined while nothing was thought. */
  function thoughtMs(): number | undefined {
    if (phase === 'silent') return past
    return (past ?? 0) + Math.max(0, Math.round(until - from))
  }

  function think(text: string): void {
    phase = 'thinking'
    until = now()
    if (text === '' || told >= limits.thoughtChars) return
    const shown = headOf(`${needsBreak ? betweenThoughts : ''}${text}`, limits.thoughtChars - told)
    needsBreak = false
    told += shown.length
    tell({ text: shown })
  }

  /** The end of a thought, as far as anybody knows: a next one may follow. */
  function pause(): void {
    if (phase !== 'thinking') return
    phase = 'thought'
    needsBreak = told > 0
    tell({ text: '', ms: thoughtMs() ?? 0 })
  }

  return {
    hear(delta: ReplyDelta): void {
      if (delta.type === 'usage') return
      if (delta.type === 'thinking') return think(delta.text)
      if (delta.type === 'close' && phase === 'thinking') until = now()
      pause()
      if (delta.type === 'close') return
      past = delta.type === 'was-thought' ? Math.round(now() - began) : thoughtMs()
      phase = 'silent'
      from = now()
    },
    thoughtMs,
  }
}
