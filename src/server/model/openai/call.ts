import type { ModelSetup } from '../../../protocol/events/epoch.ts'
import type { ReplyPart } from '../../../protocol/events/message.ts'
import type { MadeCall } from '../model.ts'

/** Half a character makes a whole request invalid. */
export function written(message: object): string {
  return JSON.stringify(message, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value,
  )
}

/** A message without a word may be refused; without the message the model would be asked nothing. */
export function shown(text: string): string {
  return text.trim() === '' ? '(empty)' : text
}

/**
 * A call as both of OpenAI’s protocols take it back: arguments as raw text, even if they are no JSON.
 * A name that no tool could have, and arguments that are not there at all, would be refused for ever.
 */
export function writtenCall({ id, name, args }: MadeCall) {
  return {
    id,
    name: name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown',
    arguments: args === '' ? '{}' : args,
  }
}

/** The parts of a reply that are replayed: a dialect that answers no call may show none. */
export function replayedParts(
  parts: readonly ReplyPart[],
  { dialect }: ModelSetup,
): readonly ReplyPart[] {
  const kept = dialect === 'tools' ? parts : parts.filter(({ type }) => type !== 'call')
  return kept.some(hasWords) ? kept : []
}

function hasWords(part: ReplyPart): boolean {
  return part.type === 'call' || (part.type === 'text' && part.text.trim() !== '')
}
