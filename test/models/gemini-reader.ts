import type { ReplyPart } from '../../src/protocol/events/message.ts'
import type { Usage } from '../../src/protocol/events/turn.ts'
import { createReplyAssembly } from '../../src/server/model/assemble-reply.ts'
import { readGemini } from '../../src/server/model/gemini/stream.ts'
import { sseData } from '../../src/server/model/transport/sse.ts'
import { answerOf } from './answer.ts'
import { sse } from './gemini-server.ts'

export interface ReadReply {
  parts: readonly ReplyPart[]
  stop: string
  usage: Usage
}

/** Reads these events as the adapter would, cut into pieces of any size; throws what it throws. */
export async function readEvents(
  events: readonly (object | string)[],
  cut: (bytes: Uint8Array) => readonly Uint8Array[] = (bytes) => [bytes],
): Promise<ReadReply> {
  const texts = events.map((event) =>
    sse(typeof event === 'string' ? event : JSON.stringify(event)),
  )
  const answer = answerOf(cut(new TextEncoder().encode(texts.join(''))))
  const assembly = createReplyAssembly()
  for await (const delta of readGemini(sseData(answer), 'Gemini')) {
    if (delta.type === 'end') return { ...delta, parts: assembly.parts() }
    assembly.add(delta)
  }
  throw new Error('the reply had no end')
}

/** One event with these parts. */
export function piece(...parts: readonly object[]): object {
  return { candidates: [{ content: { parts, role: 'model' }, index: 0 }] }
}

/** The event that ends a reply. */
export function finish(finishReason: string, finishMessage?: string): object {
  return { candidates: [{ finishReason, finishMessage, index: 0 }] }
}
