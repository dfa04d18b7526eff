import type { ModelSetup } from '../../../protocol/epoch.ts'
import { type ImageRef, type RawCall, textOf } from '../../../protocol/message.ts'
import type { Part, Reply } from '../../../session/conversation.ts'
import { replayedParts, shown, written, writtenCall } from './openai-call.ts'
import { dataUrl, picturesOf } from './picture.ts'
import { pairOf, type Wire } from './wire.ts'

/** Chat completions: one message a part. Thinking is not replayed: the protocol has no place for it. */
export const openaiChat: Wire = {
  taken: ({ parts }, setup) => parts.flatMap((part) => given(part, setup)),
  reply: said,
}

/** For servers whose chat template wants user and assistant strictly in turn; tags dialect only. */
export const openaiChatStrict: Wire = {
  taken({ parts, gap }) {
    const text = parts.map((part) => part.text).join('\n\n')
    const user = message('user', shown(text))
    return gap ? [noReply, user] : [user]
  },
  reply(block) {
    const text = textOf(block.parts)
    return [text.trim() === '' ? noReply : message('assistant', text)]
  },
}

function message(role: 'user' | 'assistant', content: string): string {
  return written({ role, content })
}

/** Stands where the turn would be missing. */
const noReply = message('assistant', '(no reply)')

function given(part: Part, setup: ModelSetup): readonly string[] {
  if (part.kind === 'record' && part.answers) return [answer(part.answers.id, part.text)]
  const pair = pairOf(part, setup)
  if (pair) return [calling(null, [pair]), answer(pair.id, part.text)]
  const pictures = picturesOf(part, setup)
  if (pictures.length === 0) return [message('user', shown(part.text))]
  const content = [written({ type: 'text', text: shown(part.text) }), ...pictures.map(image)]
  return [`{"role":"user","content":[${content.join(',')}]}`]
}

function image(ref: ImageRef): string {
  return `{"type":"image_url","image_url":{"url":${dataUrl(ref)}}}`
}

function said({ parts: all }: Reply, setup: ModelSetup): readonly string[] {
  const parts = replayedParts(all, setup)
  if (parts.length === 0) return []
  const text = textOf(parts)
  const calls = parts.filter((part) => part.type === 'call')
  return [
    calls.length === 0 ? message('assistant', text) : calling(text === '' ? null : text, calls),
  ]
}

function answer(id: string, content: string): string {
  return written({ role: 'tool', tool_call_id: id, content })
}

/** Without words it is null: OpenAI, Ollama, llama.cpp and vLLM take that, but only beside calls. */
function calling(
  content: string | null,
  calls: readonly Pick<RawCall, 'id' | 'name' | 'args'>[],
): string {
  const tool_calls = calls.map((call) => {
    const { id, ...made } = writtenCall(call)
    return { id, type: 'function', function: made }
  })
  return written({ role: 'assistant', content, tool_calls })
}
