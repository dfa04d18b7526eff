import type { ReplyError } from './report.ts'

/** Advice about a failure that is over: one that may pass has been tried again already. */
const advice: ReadonlyMap<string, string> = new Map([
  ['model_auth', 'Is the key right?'],
  ['model_config', 'tandem models lists what there is, and /model switches.'],
  ['model_overloaded', 'Wait a while and send it again, or switch with /model.'],
  ['model_failed', 'Send it again, or switch with /model.'],
  ['model_cut', 'Say “go on”, or send it again.'],
  ['model_refused', 'Put it in other words, or switch with /model.'],
  ['context_full', 'Make room with /compact, or begin a new session.'],
])

/** A sentence that asks something, or names what to set or do, is left as it is. */
const isAdvice = /\?$|\b(set|setting|write|add|give|name|begin|compact)\b[^.]*\.?$|: \/model \S+$/i

/** The error of a turn that has failed, with what to do about it. */
export function withAdvice(error: ReplyError): ReplyError {
  const { code, message } = error
  const next = advice.get(code)
  if (next === undefined || isAdvice.test(message)) return error
  const end = /[.!?…]$/.test(message) ? '' : '.'
  return { ...error, message: `${message}${end} ${next}` }
}
