import type { ModelSetup } from '../../protocol/events/epoch.ts'
import { callId } from '../calls/call-id.ts'
import type { Block, Part } from './conversation.ts'

/**
 * A block as this model may read it. Ids that it gave itself go back as they came; those of others may be there
 * twice or break its rules, so each gets one that no other call of the log has. Older epochs were sent them as they were.
 */
export function withKnownIds(block: Block, setup: ModelSetup): Block {
  const { model, renderVersion, wireVersion = 1 } = setup
  if (renderVersion < 2) return block
  // One provider’s name may stand for many: each of OpenRouter’s models has rules of its own.
  const isOwn = (other: string) =>
    wireVersion < 2 ? providerOf(other) === providerOf(model) : other === model
  if (block.kind === 'reply') return isOwn(block.model ?? '') ? block : renamed(block)
  return { ...block, parts: block.parts.map((part) => (isForeign(part) ? answering(part) : part)) }

  function isForeign(part: Part): part is Answer {
    return part.kind === 'record' && part.origin !== undefined && !isOwn(part.origin.model)
  }
}

type Answer = Part & { kind: 'record' }

/** The first shape of all wires sent ids to every model of the provider that gave them. */
function providerOf(model: string): string {
  return model.split('/', 1)[0] ?? ''
}

function renamed(block: Block & { kind: 'reply' }): Block {
  let index = 0
  const parts = block.parts.map((part) =>
    part.type === 'call' ? { ...part, id: callId(block.seq, index++) } : part,
  )
  return { ...block, parts }
}

function answering(part: Answer): Part {
  const { answers, origin } = part
  if (!answers || !origin) return part
  return { ...part, answers: { ...answers, id: callId(origin.seq, origin.index) } }
}

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
