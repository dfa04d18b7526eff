import { z } from 'zod'
import type { ModelSetup } from '../../../protocol/events/epoch.ts'
import type { ImageRef, ReplyPart } from '../../../protocol/events/message.ts'
import type { Part } from '../../../session/conversation/conversation.ts'
import { picturesOf, pictureSlot } from '../pictures.ts'
import { argsObject, isOfModel, type MadeCall, pairOf, parseJson, type Wire } from '../model.ts'

/** The part of a thought that only Anthropic reads: its signature, or all of it where it is not shown. */
const Opaque = z.union([z.object({ signature: z.string() }), z.object({ redacted: z.string() })])
export type Opaque = z.infer<typeof Opaque>

/**
 * Anthropic’s messages. Content is always an array of blocks, so that a cache mark can move without
 * changing a shape. One message a part: neighbours of one role are read as one turn. Only the results
 * of a reply’s calls stand together, because all of them have to be in the message after it.
 */
export const anthropic: Wire = {
  taken({ parts }, setup) {
    const answers = (part: Part) =>
      setup.dialect === 'tools' && part.kind === 'record' ? part.answers : undefined
    const results = parts.flatMap((part) => {
      const call = answers(part)
      return call ? [resultBlock(call.id, part.text)] : []
    })
    const others = parts.filter((part) => !answers(part))
    const first = results.length === 0 ? [] : [message('user', results)]
    return [...first, ...others.flatMap((part) => given(part, setup))]
  },
  reply({ parts, ...by }, setup) {
    const { dialect } = setup
    const kept = parts.filter((part) => {
      if (part.type === 'text') return !isBlank(part.text)
      // Among tags nothing answers a call, and a call without its answer is refused.
      return part.type !== 'call' || dialect === 'tools'
    })
    // A message that ends with a thought is refused.
    const end = kept.findLastIndex((part) => part.type !== 'thinking') + 1
    const isOwn = by.adapter === 'anthropic' && isOfModel(by, setup)
    const blocks = kept.slice(0, end).flatMap((part) => said(part, isOwn))
    return blocks.length === 0 ? [] : [message('assistant', blocks)]
  },
}

function given(part: Part, setup: ModelSetup): readonly string[] {
  const pair = pairOf(part, setup)
  if (pair === null) {
    const pictures = picturesOf(part, setup).map(image)
    return [message('user', [text(shown(part.text)), ...pictures])]
  }
  return [
    message('assistant', [callBlock(pair)]),
    message('user', [resultBlock(pair.id, part.text)]),
  ]
}

function said(part: ReplyPart, isOwn: boolean): readonly string[] {
  if (part.type === 'text') return [text(part.text)]
  if (part.type === 'call') return [callBlock(part)]
  return isOwn ? thought(part) : []
}

/** Unsigned thoughts are refused; those whose text is not shown are signed all the same. */
function thought({ text: thinking, opaque }: ReplyPart & { type: 'thinking' }): readonly string[] {
  const parsed = Opaque.safeParse(parseJson(opaque ?? ''))
  if (!parsed.success) return []
  if ('redacted' in parsed.data)
    return [JSON.stringify({ type: 'redacted_thinking', data: parsed.data.redacted })]
  const { signature } = parsed.data
  return [JSON.stringify({ type: 'thinking', thinking: whole(thinking), signature })]
}

function message(role: 'user' | 'assistant', blocks: readonly string[]): string {
  return `{"role":"${role}","content":[${blocks.join(',')}]}`
}

function text(words: string): string {
  return JSON.stringify({ type: 'text', text: whole(words) })
}

function image(ref: ImageRef): string {
  const media = JSON.stringify(ref.mediaType)
  return `{"type":"image","source":{"type":"base64","media_type":${media},"data":"${pictureSlot(ref)}"}}`
}

function callBlock({ id, name, args }: MadeCall): string {
  // A name that no tool can have, as a confused model may write it, would be refused.
  const known = name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || '_'
  const head = JSON.stringify({ type: 'tool_use', id: idOf(id), name: known })
  return `${head.slice(0, -1)},"input":${input(args)}}`
}

function resultBlock(id: string, record: string): string {
  const head = JSON.stringify({ type: 'tool_result', tool_use_id: idOf(id) })
  return `${head.slice(0, -1)},"content":[${text(shown(record))}]}`
}

/** Ids of other providers’ calls may hold what Anthropic refuses in one. */
function idOf(id: string): string {
  return /^[\w-]+$/.test(id) ? id : `id_${Buffer.from(id).toString('hex')}`
}

/** As the model wrote it, if it is an object. */
function input(args: string): string {
  if (isBlank(args)) return '{}'
  const object = argsObject(args)
  return hasHalf(object) ? JSON.stringify({ invalid: whole(args) }) : object
}

/** Every blank that Anthropic or we count as one. */
function isBlank(words: string): boolean {
  return /^[\s\x1c-\x1f\x85]*$/.test(words)
}

/** Without any text the message would be refused; without the message the turns would not fit. */
function shown(words: string): string {
  return isBlank(words) ? '(empty)' : words
}

const half = /\p{Surrogate}/u

/** Half a character makes a whole request invalid. */
function whole(words: string): string {
  return half.test(words) ? words.replaceAll(/\p{Surrogate}/gu, '\ufffd') : words
}

/** The same for JSON, where it may also be written as an escape. */
function hasHalf(json: string): boolean {
  const escapes = json.replaceAll('\\\\', ' ').replaceAll(/\\ud[89ab]..\\ud[c-f]../gi, ' ')
  return half.test(json) || /\\ud[89a-f]/i.test(escapes)
}
