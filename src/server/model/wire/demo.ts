import { textOf } from '../../../protocol/message.ts'
import type { Wire } from './wire.ts'

/** What the built-in demo reads: who said what. */
export const demo: Wire = {
  taken: ({ parts }) => parts.map(({ kind, text }) => JSON.stringify({ kind, text })),
  reply: ({ parts }) => [JSON.stringify({ kind: 'reply', text: textOf(parts) })],
}
