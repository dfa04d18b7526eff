import { createHash } from 'node:crypto'
import type { ScriptedPart, ScriptedReply } from './provider.ts'

/** Signs as the real one does, in that nobody else can: what was changed is found out. */
export function sign(content: string): string {
  return createHash('sha256').update(`gemini ${content}`).digest('base64')
}

export const signedCall = (name: string, args: string): string => sign(`call ${name} ${args}`)
export const signedText = (text: string): string => sign(`text ${text}`)

/** Takes the place of a signature in what Gemini did not make. */
export const noSignature = 'skip_thought_signature_validator'

/** A part as it stands in the JSON of an event, without what is only for streaming. */
interface WrittenPart {
  kind: ScriptedPart['type']
  json: string
}

/** What a reply consists of, in the order in which it is streamed: one event each. */
export interface WrittenReply {
  parts: readonly WrittenPart[]
  finish: string
  usage: string
}

/** As Google writes it: the first call of a reply is signed, or else, after thoughts, its very end. */
export function written(reply: ScriptedReply): WrittenReply {
  const calls = reply.parts.filter((part) => part.type === 'call')
  const isMalformed = calls.some((call) => !isObject(call.args))
  const parts = isMalformed ? reply.parts.filter((part) => part.type !== 'call') : reply.parts
  const first = parts.find((part) => part.type === 'call')
  const end = isWhole(reply) ? signedEnd(reply.parts) : null
  return {
    parts: [
      ...parts.flatMap((part) => partsOf(part, part === first)),
      ...(end === null ? [] : [{ kind: 'text' as const, json: end }]),
    ],
    finish: isMalformed ? 'MALFORMED_FUNCTION_CALL' : finishOf(reply),
    usage: usageOf(reply),
  }
}

function partsOf(part: ScriptedPart, isFirstCall: boolean): WrittenPart[] {
  if (part.type === 'call') return [{ kind: 'call', json: callJson(part, isFirstCall) }]
  // A few characters an event, and never half a one.
  const pieces = part.text.match(/[\s\S]{1,4}[\uDC00-\uDFFF]?/g) ?? []
  const thought = part.type === 'thinking' && { thought: true }
  return pieces.map((text) => ({ kind: part.type, json: JSON.stringify({ text, ...thought }) }))
}

/** The raw arguments stand in it as the script has them. */
function callJson({ name, args, id }: ScriptedPart & { type: 'call' }, isSigned: boolean): string {
  const head = JSON.stringify({ ...(id !== undefined && { id }), name }).slice(0, -1)
  const signature = isSigned ? `,"thoughtSignature": "${signedCall(name, args)}"` : ''
  return `{"functionCall": ${head},"args": ${args}}${signature}}`
}

function signedEnd(parts: ScriptedReply['parts']): string | null {
  const isSigned =
    parts.some((part) => part.type === 'thinking') && !parts.some((part) => part.type === 'call')
  return isSigned ? JSON.stringify({ text: '', thoughtSignature: signedText(textIn(parts)) }) : null
}

function textIn(parts: ScriptedReply['parts']): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function isWhole({ ending = 'done' }: ScriptedReply): boolean {
  return ending === 'done' || typeof ending !== 'string'
}

function finishOf({ ending }: ScriptedReply): string {
  if (ending === 'length') return 'MAX_TOKENS'
  return ending === 'refused' ? 'SAFETY' : 'STOP'
}

function usageOf({ parts, usage }: ScriptedReply): string {
  const { input, output, cacheRead } = usage ?? { input: 100, output: 7, cacheRead: 64 }
  const thoughts = parts.some((part) => part.type === 'thinking') ? Math.min(output, 3) : 0
  return JSON.stringify({
    promptTokenCount: input,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: input + output,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  })
}

/** The content that a reply has to come back as: what was cut runs nothing, and is not signed. */
export function replayedContent(reply: ScriptedReply): readonly string[] {
  const calls = reply.parts.filter((part) => part.type === 'call')
  const isDone = isWhole(reply) && calls.every((call) => isObject(call.args))
  const said = joined(reply.parts.filter((part) => part.type === 'call' || part.text !== ''))
  const isBlank = textIn(said).trim() === ''
  if (isBlank && (!isDone || calls.length === 0)) return []
  const end = isDone ? signedEnd(reply.parts) : null
  const parts = said.flatMap((part) => {
    if (part.type === 'text') return [JSON.stringify({ text: part.text })]
    return part.type === 'call' && isDone ? [replayedCall(part, part === calls[0])] : []
  })
  return [`{"role":"model","parts":[${[...parts, ...(end === null ? [] : [end])].join(',')}]}`]
}

function replayedCall({ name, args, id }: ScriptedPart & { type: 'call' }, isSigned: boolean) {
  const head = JSON.stringify({ ...(id !== undefined && { id }), name }).slice(0, -1)
  const signature = isSigned ? `,"thoughtSignature":"${signedCall(name, args)}"` : ''
  return `{"functionCall":${head},"args":${args}}${signature}}`
}

/** What is streamed in one go arrives as one part. */
function joined(parts: ScriptedReply['parts']): readonly ScriptedPart[] {
  const result: ScriptedPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (part.type !== 'call' && last?.type === part.type)
      result[result.length - 1] = { type: part.type, text: last.text + part.text }
    else result.push(part)
  }
  return result
}

/** Anything else Google finds out by itself, and calls malformed. */
function isObject(args: string): boolean {
  try {
    const parsed: unknown = JSON.parse(args)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  } catch {
    return false
  }
}
