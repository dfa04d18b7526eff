import type { AskId, SessionId } from '../../protocol/events/seq.ts'

/** An answer to a question that takes more than a key, as far as it is written. */
export interface HalfAnswer {
  mode: 'edit' | 'word'
  text: string
}

/** A person writes one at a time; others are left from questions that somebody else answered. */
const kept = 50

const answers = new Map<string, HalfAnswer>()

/** A card goes from the screen with its tab or session, and begins with what was written in it when it is back. */
export function halfAnswerOf(session: SessionId, ask: AskId) {
  const key = `${session} ${ask}`
  return {
    get: () => answers.get(key) ?? null,
    set(answer: HalfAnswer | null): void {
      answers.delete(key)
      if (answer !== null) answers.set(key, answer)
      const [oldest] = answers.keys()
      if (answers.size > kept && oldest !== undefined) answers.delete(oldest)
    },
  }
}
