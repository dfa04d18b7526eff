import { limits } from '../../protocol/limits.ts'
import type { EventStore } from './store.ts'

export interface ForgetKeysDeps {
  store: Pick<EventStore, 'forgetKeys'>
  clock(): number
  diagnose(message: string, error: unknown): void
  everyMs?: number
}

/** A server may run for months; keys are kept for days. */
const defaultEveryMs = 6 * 60 * 60 * 1000

/** Forgets, at once and again and again, the keys that nobody repeats any more. */
export function forgetKeys({
  store,
  clock,
  diagnose,
  everyMs = defaultEveryMs,
}: ForgetKeysDeps): () => void {
  function forget(): void {
    store
      .forgetKeys(clock() - limits.keyDays * 86_400_000)
      .catch((error: unknown) => diagnose('old keys could not be forgotten', error))
  }
  forget()
  const timer = setInterval(forget, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
