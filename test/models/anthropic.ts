import { createAnthropicModel } from '../../src/server/model/anthropic/request.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { sign } from './anthropic-rules.ts'
import { apiKey, madeUp, rawInput, startAnthropic } from './anthropic-server.ts'
import type { Provider, ScriptedPart } from './provider.ts'

const mark = ',"cache_control":{"type":"ephemeral"}'

export const anthropic: Provider = {
  name: 'anthropic',
  dialects: ['tools', 'tags'],
  start: startAnthropic,
  model: ({ baseUrl, dialect }) =>
    createAnthropicModel({
      setup: setupOf({ model: 'anthropic/claude-test', adapter: 'anthropic', dialect }),
      name: 'claude-test',
      who: 'Anthropic',
      baseUrl,
      apiKey,
    }),
  items(body) {
    const name = '"messages":['
    const at = body.indexOf(name)
    const head = body.slice(0, at).replace(`${mark}}],`, '}],')
    const messages = elements(body.slice(at + name.length, -2)).map((message) =>
      message.endsWith(`${mark}}]}`) ? `${message.slice(0, -mark.length - 3)}}]}` : message,
    )
    return [head, ...messages].map((item) => item.replaceAll(madeUp, 'toolu_auto'))
  },
  replayed({ parts, ending = 'done' }) {
    const isWhole = ending === 'done' || typeof ending !== 'string'
    // A reply that was cut keeps its text alone.
    const kept = parts.filter((part) => (part.type === 'text' ? part.text.trim() !== '' : isWhole))
    const end = kept.findLastIndex((part) => part.type !== 'thinking') + 1
    if (end === 0) return []
    return [`{"role":"assistant","content":[${kept.slice(0, end).map(block).join(',')}]}`]
  },
}

function block(part: ScriptedPart): string {
  if (part.type === 'text') return JSON.stringify(part)
  if (part.type === 'thinking')
    return JSON.stringify({ type: 'thinking', thinking: part.text, signature: sign(part.text) })
  const head = JSON.stringify({ type: 'tool_use', id: part.id ?? 'toolu_auto', name: part.name })
  return `${head.slice(0, -1)},"input":${rawInput(part.args)}}`
}

/** The members of a JSON list, each as it is written. */
function elements(list: string): readonly string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of list.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g)) {
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
    if (token !== ',' || depth > 0) continue
    found.push(list.slice(start, index))
    start = index + 1
  }
  return list === '' ? [] : [...found, list.slice(start)]
}
