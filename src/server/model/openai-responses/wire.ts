import { z } from 'zod'
import type { ModelSetup } from '../../../protocol/events/epoch.ts'
import type { ImageRef, ReplyPart } from '../../../protocol/events/message.ts'
import type { Part, Reply } from '../../../session/conversation/conversation.ts'
import { replayedParts, shown, written, writtenCall } from '../openai/call.ts'
import { dataUrl, picturesOf } from '../pictures.ts'
import { isFirstShape, type MadeCall, pairOf, parseJson, type Wire } from '../model.ts'

/** The part of an item that only the provider can read. Another model may refuse it. */
const Opaque = z.object({
  model: z.string(),
  /** Texts with one number are pieces of one message. */
  item: z.number().optional(),
  phase: z.string().optional(),
  /** A reasoning item, whole but for its id. */
  reasoning: z.record(z.string(), z.unknown()).optional(),
})
export type Opaque = z.infer<typeof Opaque>

/** Responses: one item a part. Items go without ids, as nothing is stored that an id could mean. */
export const openaiResponses: Wire = {
  taken: ({ parts }, setup) => parts.flatMap((part) => given(part, setup)),
  reply: said,
}

function given(part: Part, setup: ModelSetup): readonly string[] {
  if (part.kind === 'record' && part.answers) return [output(part.answers.id, part.text)]
  const pair = pairOf(part, setup)
  if (pair) return [call(pair), output(pair.id, part.text)]
  const text = written({ type: 'input_text', text: shown(part.text) })
  const content = [text, ...picturesOf(part, setup).map((ref) => image(ref, setup))]
  return [`{"type":"message","role":"user","content":[${content.join(',')}]}`]
}

/** OpenAI’s own types want to be told how close a look is meant; left out, it means the same. */
function image(ref: ImageRef, setup: ModelSetup): string {
  const detail = isFirstShape(setup) ? '' : ',"detail":"auto"'
  return `{"type":"input_image","image_url":${dataUrl(ref)}${detail}}`
}

function call(made: MadeCall): string {
  const { id, ...rest } = writtenCall(made)
  return written({ type: 'function_call', call_id: id, ...rest })
}

function output(id: string, text: string): string {
  return written({ type: 'function_call_output', call_id: id, output: text })
}

function said({ parts, adapter }: Reply, setup: ModelSetup): readonly string[] {
  const items: Item[] = []
  for (const part of replayedParts(parts, setup)) {
    const opaque = adapter === 'openai-responses' ? readOpaque(part, setup) : null
    if (part.type === 'text') addText(items, { text: part.text, opaque }, setup)
    else if (part.type === 'call') items.push({ text: call(part) })
    else if (opaque?.reasoning) items.push({ text: written(opaque.reasoning), isThought: true })
  }
  // A thought goes before what it led to; with nothing after it, it is not taken back.
  const end = items.findLastIndex(({ isThought }) => !isThought) + 1
  return items.slice(0, end).map(({ text }) => text)
}

interface Item {
  text: string
  isThought?: boolean
  message?: { number: number | undefined; texts: readonly string[] }
}

function addText(
  items: Item[],
  { text, opaque }: { text: string; opaque: Opaque | null },
  setup: ModelSetup,
): void {
  if (text === '') return
  const number = opaque?.item
  const before = items.at(-1)?.message
  const isNext = before !== undefined && number !== undefined && before.number === number
  const texts = isNext ? [...before.texts, text] : [text]
  if (isNext) items.pop()
  // As it came from there, though it says nothing.
  const annotated = !isFirstShape(setup) && { annotations: [] }
  const content = texts.map((one) => ({ type: 'output_text', text: one, ...annotated }))
  const phase = opaque?.phase && { phase: opaque.phase }
  const item = written({ type: 'message', role: 'assistant', content, ...phase })
  items.push({ text: item, message: { number, texts } })
}

function readOpaque(part: ReplyPart, { model }: ModelSetup): Opaque | null {
  const parsed = Opaque.safeParse(parseJson(part.opaque ?? ''))
  return parsed.success && parsed.data.model === model ? parsed.data : null
}
