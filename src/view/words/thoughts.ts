import type { ReplyEntry } from '../fold/entry.ts'

/** The thoughts of a reply as they are shown, while they come and afterwards. */
export interface ShownThoughts {
  text: string
  ms: number | null
  /** More of them may come. */
  isThinking: boolean
}

/** Null for a reply without any. */
export function shownThoughts({ reply }: ReplyEntry): ShownThoughts | null {
  if (reply.phase === 'settled')
    return reply.thoughts ? { ...reply.thoughts, isThinking: false } : null
  const { thinking, live } = reply
  if (!thinking || (thinking.live.text === '' && thinking.ms === null)) return null
  const isThinking = thinking.ms === null && live.text === ''
  return { text: thinking.live.text, ms: thinking.ms, isThinking }
}
