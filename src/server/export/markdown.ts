import type { Event } from '../../protocol/event.ts'
import { textOf } from '../../protocol/message.ts'
import { titleOf } from './items.ts'

/** To be read: what was said, and the records that the model read. */
export function markdownDocument(log: readonly Event[]): string {
  return [`# ${titleOf(log)}\n`, ...log.flatMap(section)].join('\n')
}

function section(event: Event): readonly string[] {
  if (event.type === 'input_queued') return [`## You\n\n${event.text}\n`]
  if (event.type === 'tool_response' && event.content !== '') return [fence(event.content)]
  if (event.type !== 'message' || event.synthetic) return []
  const text = textOf(event.parts)
  return [`## ${event.role === 'user' ? 'You' : 'Model'}\n\n${text}\n`]
}

/** Long enough that nothing printed can close it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}console\n${text}\n${ticks}\n`
}
