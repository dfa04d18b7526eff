import type { ModelSetup } from '../../../protocol/epoch.ts'
import type { Part, Reply, Taken } from '../../../session/conversation.ts'

/**
 * How a provider’s protocol writes a conversation: JSON texts, one a message. A wire is pure and is
 * shown one block at a time, so it cannot reshape what was sent before. Its shape is frozen under its
 * name: another shape gets another name, and old ones stay.
 */
export interface Wire {
  taken(block: Taken, setup: ModelSetup): readonly string[]
  reply(block: Reply, setup: ModelSetup): readonly string[]
}

/** The record as the answer to a synthetic call of the model’s, where it has such a tool. */
export function pairOf(
  part: Part,
  { tools }: ModelSetup,
): { id: string; name: string; args: string } | null {
  // A result has no place for a picture that all protocols know; what a user says has.
  if (part.kind !== 'record' || part.asked === undefined || part.images) return null
  const { name, args } = part.asked
  return tools.some((tool) => tool.name === name) ? { id: `user_${part.seq}`, name, args } : null
}

/** Raw arguments where a protocol wants an object. What is none is kept inside one. */
export function argsObject(args: string): string {
  const parsed = parse(args)
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  return isObject ? args : JSON.stringify({ invalid: args })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
