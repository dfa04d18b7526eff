import { z } from 'zod'
import type { ModelSetup } from '../../../protocol/events/epoch.ts'
import type { ImageRef, RawCall, ReplyPart } from '../../../protocol/events/message.ts'
import type { Part } from '../../../session/conversation/conversation.ts'
import { picturesOf, pictureSlot } from '../pictures.ts'
import { argsObject, isFirstShape, isOfModel, pairOf, parseJson, type Wire } from '../model.ts'

/** Data of a call that only Gemini can read; kept as JSON in the call’s `opaque`. */
const CallOpaque = z.strictObject({
  /** Not there if Gemini gave the call no id: the one it has is ours, and stays here. */
  functionCallId: z.string().optional(),
  thoughtSignature: z.string().optional(),
})
export type CallOpaque = z.infer<typeof CallOpaque>

/** Empty for what another adapter wrote. */
function readCallOpaque(opaque: string | undefined): CallOpaque {
  return CallOpaque.safeParse(parseJson(opaque ?? '')).data ?? {}
}

/**
 * Gemini’s contents. Each prompt or record is a content of its own: Gemini 3 reads text that stands
 * in one content with results as part of them. The results of one reply’s calls have to share one.
 */
export const gemini: Wire = {
  taken({ parts }, setup) {
    const { dialect } = setup
    const results =
      dialect === 'tools' ? parts.flatMap((part) => functionResponse(part, setup)) : []
    const others = parts.filter((part) => dialect === 'tags' || answered(part) === null)
    const contents = [...content('user', results)]
    for (const part of others)
      contents.push(...given(part, setup, { isFirst: contents.length === 0 }))
    return contents
  },
  reply({ parts, ...by }, setup) {
    const { dialect } = setup
    const isOwn = by.adapter === name && isOfModel(by, setup)
    // A signature of another provider would be refused as corrupt.
    const said = isOwn ? parts : parts.map((part) => ({ ...part, opaque: undefined }))
    const first = said.findIndex((part) => part.type === 'call')
    return content(
      'model',
      said.flatMap((part, index) => {
        if (part.type !== 'call') return spoken(part)
        if (dialect === 'tags') return textPart(`[call ${part.name} ${part.args}]`, undefined)
        return functionCall(part, isOwn || index !== first ? undefined : unsigned)
      }),
    )
  },
}

/** A call has to follow a user’s turn: what is said before one that begins a block. */
const lead = '{"role":"user","parts":[{"text":"(the user did this)"}]}'

function given(
  part: Part,
  setup: ModelSetup,
  { isFirst }: { isFirst: boolean },
): readonly string[] {
  const pair = isFirstShape(setup) ? null : pairOf(part, setup)
  if (pair !== null) {
    const { name: tool, args } = pair
    const response = JSON.stringify({
      functionResponse: { name: tool, response: { output: part.text } },
    })
    const call = functionCall({ type: 'call', ...pair, args }, unsigned)
    return [...(isFirst ? [lead] : []), ...content('model', call), ...content('user', [response])]
  }
  const pictures = picturesOf(part, setup).map(inlineData)
  return content('user', [...textPart(part.text, undefined), ...pictures])
}

/** As epochs know this wire. */
const name = 'gemini'

/** Google wants this in place of a signature on the first call of a reply that Gemini did not make. */
export const unsigned = 'skip_thought_signature_validator'

/** A content without parts is refused. */
function content(role: 'user' | 'model', parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`{"role":"${role}","parts":[${parts.join(',')}]}`]
}

/** An empty text says nothing, unless it is where a signature came. */
function textPart(text: string, thoughtSignature: string | undefined): readonly string[] {
  return text === '' && thoughtSignature === undefined
    ? []
    : [JSON.stringify({ text, thoughtSignature })]
}

function inlineData(ref: ImageRef): string {
  const type = JSON.stringify(ref.mediaType)
  return `{"inlineData":{"mimeType":${type},"data":"${pictureSlot(ref)}"}}`
}

/** A thought is for Gemini to remember, not for us; only one that it signed goes back. */
function spoken({ type, text, opaque }: Exclude<ReplyPart, RawCall>): readonly string[] {
  if (type === 'text') return textPart(text, opaque)
  return opaque === undefined
    ? []
    : [JSON.stringify({ text, thought: true, thoughtSignature: opaque })]
}

/** The arguments go back byte for byte. */
function functionCall(call: RawCall, instead: string | undefined): readonly string[] {
  const { functionCallId: id, thoughtSignature = instead } = readCallOpaque(call.opaque)
  const head = JSON.stringify({ id, name: nameOf(call) }).slice(0, -1)
  const signature =
    thoughtSignature === undefined ? '' : `,${JSON.stringify({ thoughtSignature }).slice(1, -1)}`
  return [`{"functionCall":${head},"args":${argsObject(call.args)}}${signature}}`]
}

function functionResponse(part: Part, setup: ModelSetup): readonly string[] {
  const call = answered(part)
  if (call === null) return []
  const origin = part.kind === 'record' ? part.origin : undefined
  const isOwn = origin === undefined || isOfModel(origin, setup)
  const { functionCallId: id } = isOwn ? readCallOpaque(call.opaque) : {}
  const response = { output: part.text }
  return [JSON.stringify({ functionResponse: { id, name: nameOf(call), response } })]
}

function answered(part: Part): RawCall | null {
  return part.kind === 'record' ? (part.answers ?? null) : null
}

/** A call without a name is refused, also in the past. */
function nameOf(call: RawCall): string {
  return call.name || 'unnamed'
}
