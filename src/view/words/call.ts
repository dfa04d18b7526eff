import type { CallStatus } from '../../protocol/events/call.ts'
import type { CallEntry } from '../fold/entry.ts'

/** How a call was answered, in a word. */
export const statusWords: Record<CallStatus, string> = {
  done: 'done',
  error: 'failed',
  cancelled: 'cancelled',
  timeout: 'timed out',
  denied: 'denied',
  skipped: 'skipped',
  waiting: 'waiting for input',
  busy: 'not run: the terminal was busy',
  lost: 'lost',
}

/** The subject of a call, as a person would say it: `@src/a.ts`, `/task list`, `activate_skill …`. */
export function callTitle({ name, args, by }: CallEntry): string {
  if (name === 'read_file') return `@${args}`
  if (name === 'terminal_execute') return `$ ${valuesOf(args)}`
  if (name === 'terminal_write') return `types ${valuesOf(args)}`
  return by.kind !== 'model' && args.startsWith('/') ? args : `${name} ${valuesOf(args)}`.trim()
}

/** JSON's marks say nothing to people. */
function valuesOf(args: string): string {
  try {
    const parsed: unknown = JSON.parse(args)
    return typeof parsed === 'object' && parsed !== null
      ? Object.values(parsed).map(String).join(' ')
      : String(parsed)
  } catch {
    return args
  }
}

/** The answer for people: a file that was read for the model is not shown to them again. */
export function callAnswer({ name, answer }: CallEntry): string {
  const isForModel = name === 'read_file' || name === 'activate_skill'
  if (answer === null || (isForModel && answer.status === 'done')) return ''
  return answer.content
}

export function callLabel(entry: CallEntry): string {
  if (entry.answer) return statusWords[entry.answer.status]
  return entry.ask?.state.phase === 'open' ? 'needs approval' : 'running…'
}
