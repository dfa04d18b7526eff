import type { ReplyPart } from '../../src/protocol/events/message.ts'
import { callModel } from '../../src/server/session/call-model.ts'
import type { Model } from '../../src/server/model/model.ts'
import { wireOf } from '../../src/server/model/wires.ts'
import { withIds } from '../../src/session/calls/call-id.ts'
import type { Block, Part } from '../../src/session/conversation/conversation.ts'

/** A conversation with a model as the server would have it, without the server. */
export interface Talk {
  blocks: readonly Block[]
  /** Gives the model these to read, asks it, and keeps its reply. */
  ask(...parts: readonly NewPart[]): Promise<Asked>
  /** The answers to all calls of the last reply, in their order. */
  answers(text?: string): readonly NewPart[]
}

type Asked = Awaited<ReturnType<typeof callModel>>
export type NewPart = Part extends infer P ? (P extends Part ? Omit<P, 'seq'> : never) : never

export function openTalk(model: Model): Talk {
  const blocks: Block[] = []
  const wire = wireOf(model.setup.adapter)
  const messages: string[] = []
  let seq = 0
  let sent = 0
  let last: readonly ReplyPart[] = []

  function add(block: Block): void {
    blocks.push(block)
    const written =
      block.kind === 'taken' ? wire.taken(block, model.setup) : wire.reply(block, model.setup)
    messages.push(...written)
  }

  return {
    blocks,
    async ask(...parts) {
      const gap = blocks.at(-1)?.kind === 'taken'
      const numbered = parts.map((part) => ({ ...part, seq: ++seq }))
      add({ kind: 'taken', seq: ++seq, parts: numbered, gap })
      const ending = await callModel({
        model,
        request: { setup: model.setup, messages: [...messages], sent },
        signal: new AbortController().signal,
        onText: () => undefined,
        onRetry: () => undefined,
        random: () => 0,
      })
      sent = messages.length
      last = ending.stop === 'done' ? withIds(ending.parts, seq) : []
      if (last.length > 0)
        add({
          kind: 'reply',
          seq: ++seq,
          parts: last,
          adapter: model.setup.adapter,
          model: model.setup.model,
        })
      return ending
    },
    answers: (text = '$ x\n[exit 0]') =>
      last.flatMap((part) =>
        part.type === 'call' ? [{ kind: 'record' as const, text, answers: part }] : [],
      ),
  }
}
