import { z } from 'zod'
import type { ModelSetup } from '../../../protocol/events/epoch.ts'
import { type ImageRef, type ReplyPart, textOf } from '../../../protocol/events/message.ts'
import type { Part, Reply } from '../../../session/conversation/conversation.ts'
import { replayedParts, shown, written, writtenCall } from '../openai/call.ts'
import { dataUrl, picturesOf } from '../pictures.ts'
import { Detail } from './details.ts'
import { type Habits, habitsOf, unsignedCall } from './habits.ts'
import { rawTextOf } from './text-thoughts.ts'
import { isFirstShape, type MadeCall, pairOf, parseJson, type Wire } from '../model.ts'

/** Data of a call that only its server can read, kept as JSON in the call’s `opaque`. */
const CallOpaque = z.object({ extra_content: z.record(z.string(), z.unknown()) })
export type CallOpaque = z.infer<typeof CallOpaque>

/** Marks a thought that came as `reasoning_content`: DeepSeek wants it back beside the calls that it led to. */
export const replayedThought = '{"reasoning_content":true}'

/** The details of all thoughts of a reply, which OpenRouter wants back beside the calls that they led to. */
const DetailsOpaque = z.object({ reasoning_details: z.array(Detail) })
export type DetailsOpaque = z.infer<typeof DetailsOpaque>

/** Chat completions: one message a part. The protocol has no place for thoughts but that one. */
export const openaiChat: Wire = {
  taken({ parts, gap }, setup) {
    const messages = parts.map((part) => given(part, setup))
    if (!habitsOf(setup).repliesToResults) return messages.flat()
    // A reply that is not replayed may have left a result before this.
    let isOpen = gap
    return messages.flatMap((some, index) => {
      const isResult = some.length > 1 || isAnswer(parts[index])
      const isInOrder = !isOpen || isResult
      isOpen = isResult
      return isInOrder ? some : [noReply, ...some]
    })
  },
  reply: said,
}

/** For servers whose chat template wants user and assistant strictly in turn; tags dialect only. */
export const openaiChatStrict: Wire = {
  taken({ parts, gap }, setup) {
    const user = hasPictures(parts, setup) ? pictured(parts, setup) : message('user', joined(parts))
    return gap ? [noReply, user] : [user]
  },
  reply({ parts, gap, model }, setup) {
    const text = model === setup.model ? rawTextOf(parts) : textOf(parts)
    const said = text.trim() === '' ? noReply : message('assistant', text)
    return gap && !isFirstShape(setup) ? [noPrompt, said] : [said]
  },
}

const joined = (parts: readonly Part[]) => shown(parts.map(({ text }) => text).join('\n\n'))

function hasPictures(parts: readonly Part[], setup: ModelSetup): boolean {
  return parts.some((part) => picturesOf(part, setup).length > 0)
}

/** One message for all parts, in which each picture stands behind the text that tells of it. */
function pictured(parts: readonly Part[], setup: ModelSetup): string {
  const content: string[] = []
  let before: Part[] = []
  const close = () => {
    if (before.length > 0) content.push(written({ type: 'text', text: joined(before) }))
    before = []
  }
  for (const part of parts) {
    before.push(part)
    const pictures = picturesOf(part, setup)
    if (pictures.length === 0) continue
    close()
    content.push(...pictures.map(image))
  }
  close()
  return `{"role":"user","content":[${content.join(',')}]}`
}

function message(role: 'user' | 'assistant', content: string): string {
  return written({ role, content })
}

/** Stand where a turn would be missing. */
const noReply = message('assistant', '(no reply)')
const noPrompt = message('user', '(no message)')

const isAnswer = (part: Part | undefined) => part?.kind === 'record' && part.answers !== undefined

function given(part: Part, setup: ModelSetup): readonly string[] {
  if (part.kind === 'record' && part.answers) return [answer(part.answers.id, part.text)]
  const pair = pairOf(part, setup)
  if (pair) return [calling(null, [pair], { habits: habitsOf(setup) }), answer(pair.id, part.text)]
  const pictures = picturesOf(part, setup)
  if (pictures.length === 0) return [message('user', shown(part.text))]
  const content = [written({ type: 'text', text: shown(part.text) }), ...pictures.map(image)]
  return [`{"role":"user","content":[${content.join(',')}]}`]
}

function image(ref: ImageRef): string {
  return `{"type":"image_url","image_url":{"url":${dataUrl(ref)}}}`
}

function said({ parts: all, model }: Reply, setup: ModelSetup): readonly string[] {
  const parts = replayedParts(all, setup)
  if (parts.length === 0) return []
  const text = model === setup.model ? rawTextOf(parts) : textOf(parts)
  const calls = parts.filter((part) => part.type === 'call')
  if (calls.length === 0) return [message('assistant', text)]
  const isOwn = setup.renderVersion > 1 && model === setup.model
  const habits = habitsOf(setup)
  if (!isOwn) return [calling(text || null, calls, { habits })]
  const thoughts = parts.filter((part) => part.opaque === replayedThought)
  const thought = thoughts.map((part) => (part.type === 'thinking' ? part.text : '')).join('')
  const details = parts.map(detailsIn).find((found) => found !== undefined)
  return [calling(text || null, calls, { habits, own: { thought, details } })]
}

function answer(id: string, content: string): string {
  return written({ role: 'tool', tool_call_id: id, content })
}

interface Origin {
  habits: Habits
  /** The thought behind the calls, for the model that had it; left out: it was another. */
  own?: { thought: string; details: DetailsOpaque | undefined }
}

/** Without words it is null: OpenAI, Ollama, llama.cpp and vLLM take that, but only beside calls. */
function calling(
  content: string | null,
  calls: readonly (MadeCall & { opaque?: string | undefined })[],
  { habits, own }: Origin,
): string {
  const tool_calls = calls.map((call, index) => {
    const { id, ...made } = writtenCall(call)
    const foreign = habits.signsCalls && index === 0 ? unsignedCall : undefined
    const extra = own === undefined ? foreign : readOpaque(call.opaque)
    return { id, type: 'function', function: made, ...extra }
  })
  const noThought = habits.thinksBeforeCalls ? { reasoning_content: '' } : undefined
  const reasoning = own?.thought ? { reasoning_content: own.thought } : (own?.details ?? noThought)
  return written({ role: 'assistant', content, ...reasoning, tool_calls })
}

function detailsIn({ type, opaque }: ReplyPart): DetailsOpaque | undefined {
  if (type !== 'thinking') return undefined
  return DetailsOpaque.safeParse(parseJson(opaque ?? '')).data
}

function readOpaque(opaque: string | undefined): CallOpaque | undefined {
  return CallOpaque.safeParse(parseJson(opaque ?? '')).data
}
