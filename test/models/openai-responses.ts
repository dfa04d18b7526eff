import { createResponsesModel } from '../../src/server/model/openai-responses/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { encrypt, type Item, responsesRefusal } from './openai-responses-rules.ts'
import { apiKey, type Format, inPieces, madeUp, startOpenaiServer } from './openai-server.ts'
import type { Provider, ScriptedPart, ScriptedReply } from './provider.ts'

export const startResponses = () => startOpenaiServer(responsesFormat)

export const openaiResponses: Provider = {
  name: 'openai-responses',
  dialects: ['tools', 'tags'],
  start: startResponses,
  model: ({ baseUrl, dialect }) =>
    createResponsesModel({
      setup: setupOf({ model: 'openai/gpt-test', adapter: 'openai-responses', dialect }),
      name: 'gpt-test',
      who: 'OpenAI',
      baseUrl,
      apiKey,
    }),
  items(body) {
    const { input, ...head } = JSON.parse(body) as { input: object[] }
    return [head, ...input].map((item) => JSON.stringify(item).replaceAll(madeUp, 'call_auto'))
  },
  replayed({ parts }) {
    const end = parts.findLastIndex(({ type }) => type !== 'thinking') + 1
    return parts.slice(0, end).map((part) => JSON.stringify(bare(item(part))))
  },
}

/** As it has to come back: without what only the server’s own store would know. */
function bare(whole: Item): Item {
  const { id: _id, status: _status, ...item } = whole
  if (item.content === undefined) return item
  const content = item.content.map(({ text }) => ({ type: 'output_text', text, annotations: [] }))
  return { ...item, content }
}

function item(part: ScriptedPart): Item {
  if (part.type === 'thinking') return thought(part.text)
  if (part.type === 'text') return message(part.text)
  const { id: call_id = 'call_auto', name, args } = part
  return { id: 'fc_1', type: 'function_call', status: 'completed', call_id, name, arguments: args }
}

function thought(text: string): Item {
  const summary =
    text === '' ? [] : text.split('\n\n').map((one) => ({ type: 'summary_text', text: one }))
  return { id: 'rs_1', type: 'reasoning', summary, encrypted_content: encrypt(text) }
}

export function message(...texts: readonly string[]): Item {
  const content = texts.map((text) => ({
    type: 'output_text',
    annotations: [],
    logprobs: [],
    text,
  }))
  return { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content }
}

export const responsesFormat: Format = {
  path: '/v1/responses',
  refusalOf: responsesRefusal,
  events(reply) {
    const ending = typeof reply.ending === 'string' ? reply.ending : 'done'
    const reason = { length: 'max_output_tokens', refused: 'content_filter' }[ending as string]
    const usage = usageOf(reply.usage)
    const status = reason === undefined ? 'completed' : 'incomplete'
    const incomplete_details = reason === undefined ? null : { reason }
    const response = {
      id: 'resp_1',
      object: 'response',
      error: null,
      incomplete_details,
      output: reply.parts.map(item),
    }
    const began = { ...response, output: [], status: 'in_progress', usage: null }
    const all = reply.parts.flatMap(itemEvents)
    return {
      said: [
        event({ type: 'response.created', response: began }),
        event({ type: 'response.in_progress', response: began }),
        // What breaks off has an open item at its end.
        ...(ending === 'cut' ? all.slice(0, -1) : all),
      ],
      end: [event({ type: `response.${status}`, response: { ...response, status, usage } })],
    }
  },
}

export function event(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify({ sequence_number: 0, ...data })}\n\n`
}

export function itemEvents(part: ScriptedPart, output_index: number): readonly string[] {
  const whole = item(part)
  const at = { output_index, item_id: whole.id }
  return [
    event({
      type: 'response.output_item.added',
      output_index,
      item: { ...whole, ...unknownYet[part.type] },
    }),
    ...pieces(part).map((piece) => event({ ...at, ...piece })),
    event({ type: 'response.output_item.done', output_index, item: whole }),
  ]
}

const unknownYet = {
  text: { status: 'in_progress', content: [] },
  thinking: { summary: [], encrypted_content: '' },
  call: { status: 'in_progress', arguments: '' },
}

function pieces(part: ScriptedPart): readonly { type: string }[] {
  if (part.type === 'thinking')
    return part.text.split('\n\n').flatMap((text, summary_index) => {
      const of = (name: string, more: object) => ({
        type: `response.reasoning_summary_${name}`,
        summary_index,
        ...more,
      })
      return [
        of('part.added', { part: { type: 'summary_text', text: '' } }),
        ...inPieces(text).map((delta) => of('text.delta', { delta })),
        of('text.done', { text }),
        of('part.done', { part: { type: 'summary_text', text } }),
      ]
    })
  const type =
    part.type === 'text' ? 'response.output_text.delta' : 'response.function_call_arguments.delta'
  const text = part.type === 'text' ? part.text : part.args
  const at = part.type === 'text' ? { content_index: 0, logprobs: [] } : {}
  const deltas = inPieces(text).map((delta) => ({ type, ...at, delta }))
  const done = part.type === 'text' ? { text } : { arguments: text }
  const all = [...deltas, { type: type.replace('.delta', '.done'), ...at, ...done }]
  if (part.type !== 'text') return all
  const content = (words: string) => ({
    content_index: 0,
    part: { type: 'output_text', annotations: [], logprobs: [], text: words },
  })
  return [
    { type: 'response.content_part.added', ...content('') },
    ...all,
    { type: 'response.content_part.done', ...content(text) },
  ]
}

function usageOf(usage: ScriptedReply['usage']): object {
  const { input, output, cacheRead, cacheWrite } = usage ?? {
    input: 100,
    output: 7,
    cacheRead: 64,
    cacheWrite: 0,
  }
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}
