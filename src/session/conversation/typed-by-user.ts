import type { ModelSetup } from '../../protocol/events/epoch.ts'
import type { Block } from './conversation.ts'

/**
 * A block in which every record says whose doing it was: also those of `/skill`, `/task`, `/trust` and the like, whose
 * text is only the outcome. Older epochs were sent them without it.
 */
export function withAuthors(block: Block, { renderVersion }: ModelSetup): Block {
  if (renderVersion < 3 || block.kind === 'reply') return block
  const parts = block.parts.map((part) =>
    part.kind === 'record' && part.typed !== undefined
      ? { ...part, text: `[the user typed: ${part.typed}]\n${part.text}` }
      : part,
  )
  return { ...block, parts }
}
