import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { pictureProblem, stillTypes } from './picture-rules.ts'

export interface Block {
  type: string
  text?: string
  thinking?: string
  signature?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: readonly Block[]
  source?: { type: string; media_type: string; data: string }
  cache_control?: unknown
}

interface Message {
  role: string
  content: readonly Block[]
}

export interface Body {
  model: string
  max_tokens: number
  stream: boolean
  thinking?: { type: string; display?: string; budget_tokens?: number }
  system?: readonly Block[]
  tools?: readonly { name: string; input_schema: { type: string } }[]
  messages: readonly Message[]
}

/** As the server signs a thought. */
export function sign(thinking: string): string {
  return createHash('sha256').update(`thought ${thinking}`).digest('base64')
}

/**
 * Why Anthropic would refuse a request, in its words; null if it would not. Results are looked for in
 * the very next message, though neighbours of one role may be read as one: the stricter reading.
 */
export function refusalOf(body: Body): string | null {
  const { messages } = body
  if (hasHalf(body)) return 'The request body is not valid JSON: no low surrogate in string'
  if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) return 'max_tokens: Field required'
  if (messages.length === 0) return 'messages: at least one message is required'
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  if (messages.at(-1)?.role !== 'user')
    return 'This model does not support assistant message prefill. The conversation must end with a user message.'
  const thinking = thinkingProblem(body)
  if (thinking !== null) return thinking
  const problems = messages.map((_, index) => problemAt(messages, index))
  return problems.find((problem) => problem !== null) ?? markProblem(body) ?? toolProblem(body)
}

/** Since 4.6 a model takes `adaptive`, since 4.7 nothing else; before that a budget, below what a reply may have. */
function thinkingProblem({ model, max_tokens: most, thinking }: Body): string | null {
  if (thinking === undefined) return null
  const [, major, minor] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? []
  const version = Number(major ?? 0) + Number(minor ?? 0) / 100
  const { type, display = 'summarized', budget_tokens: budget } = thinking
  if (!['summarized', 'omitted'].includes(display)) return 'thinking.display: unexpected value'
  if (type === 'adaptive') {
    if (version < 4.06) return 'adaptive thinking is not supported on this model'
    return budget === undefined ? null : 'thinking.adaptive.budget_tokens: Extra inputs'
  }
  if (version >= 4.07) return '"thinking.type.enabled" is not supported for this model.'
  return budget !== undefined && budget >= 1024 && budget < most
    ? null
    : 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
}

/** Half a character in any text, or name, of it. */
function hasHalf(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some((member) => member.some(hasHalf))
}

function problemAt(messages: readonly Message[], index: number): string | null {
  const message = messages[index]!
  const at = `messages.${index}`
  if (message.role !== 'user' && message.role !== 'assistant') return `${at}.role: unexpected`
  if (message.content.length === 0) return `${at}: all messages must have non-empty content`
  const problem = message.content.map(blockProblem).find((found) => found !== null)
  if (problem) return `${at}.content: ${problem}`
  if (message.role === 'assistant' && message.content.some(({ type }) => type === 'image'))
    return `${at}: 'image' blocks are not permitted in assistant turns`
  const last = message.content.at(-1)?.type
  if (last === 'thinking' || last === 'redacted_thinking')
    return `${at}: The final block in an assistant message cannot be \`thinking\`.`
  return callProblem(messages, index) ?? resultProblem(messages, index)
}

function blockProblem(block: Block): string | null {
  if (block.type === 'text') return textProblem(block)
  if (block.type === 'image') return imageProblem(block)
  if (block.type === 'tool_result')
    return block.content?.map(textProblem).find((found) => found !== null) ?? null
  if (block.type === 'tool_use') {
    if (!/^[a-zA-Z0-9_-]+$/.test(block.id!)) return 'tool_use.id: String should match pattern'
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(block.name!))
      return 'tool_use.name: String should match pattern'
    const { input } = block
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
    return isObject ? null : 'tool_use.input: Input should be a valid dictionary'
  }
  if (block.type === 'thinking' && block.signature !== sign(block.thinking!))
    return 'Invalid `signature` in `thinking` block'
  return null
}

function imageProblem({ source }: Block): string | null {
  if (source?.type !== 'base64') return 'image.source: Field required'
  return pictureProblem(source.data, source.media_type, [...stillTypes, 'image/gif'])
}

function textProblem({ text = '' }: Block): string | null {
  if (text === '') return 'text content blocks must be non-empty'
  // As Python sees blanks.
  return /^[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/.test(text)
    ? 'text content blocks must contain non-whitespace text'
    : null
}

const ids = (message: Message | undefined, type: string, name: 'id' | 'tool_use_id') =>
  (message?.content ?? []).filter((block) => block.type === type).map((block) => block[name]!)

function callProblem(messages: readonly Message[], index: number): string | null {
  const calls = ids(messages[index], 'tool_use', 'id')
  const earlier = messages.slice(0, index).flatMap((message) => ids(message, 'tool_use', 'id'))
  if (new Set([...earlier, ...calls]).size < earlier.length + calls.length)
    return `messages.${index}: \`tool_use\` ids must be unique`
  const results = ids(messages[index + 1], 'tool_result', 'tool_use_id')
  const missing = calls.filter((id) => !results.includes(id))
  return missing.length === 0
    ? null
    : `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`
}

function resultProblem(messages: readonly Message[], index: number): string | null {
  const results = ids(messages[index], 'tool_result', 'tool_use_id')
  const calls = ids(messages[index - 1], 'tool_use', 'id')
  if (results.some((id) => !calls.includes(id)) || new Set(results).size < results.length)
    return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`
  const types = messages[index]!.content.map((block) => block.type)
  return types.lastIndexOf('tool_result') > results.length - 1
    ? `messages.${index}: \`tool_result\` blocks must come first`
    : null
}

function markProblem({ system = [], messages }: Body): string | null {
  const marked = [...system, ...messages.flatMap((message) => message.content)].filter(
    (block) => block.cache_control !== undefined,
  )
  if (marked.some((block) => !isDeepStrictEqual(block.cache_control, { type: 'ephemeral' })))
    return 'cache_control: unexpected'
  if (marked.some((block) => block.type.includes('thinking')))
    return 'thinking.cache_control: Extra inputs are not permitted'
  return marked.length > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`
    : null
}

function toolProblem({ tools = [], messages }: Body): string | null {
  if (tools.some((tool) => tool.input_schema.type !== 'object'))
    return 'tools.input_schema.type: Input should be "object"'
  const hasCalls = messages.some((message) => ids(message, 'tool_use', 'id').length > 0)
  return hasCalls && tools.length === 0
    ? 'Requests which have `tool_use` or `tool_result` blocks must define tools'
    : null
}

/** Newer models tie each thought to all that stood before it, and refuse it after anything else. */
export interface Binding {
  bind(body: Body, said: readonly Block[]): void
  refusalOf(body: Body): string | null
}

export function createBinding(): Binding {
  const bound = new Map<string, Set<string>>()

  function* thoughts(body: Body, said: readonly Block[] = []): Iterable<[string, string]> {
    const before: unknown[] = [body.system?.map((block) => block.text), body.tools]
    for (const { role, content } of [...body.messages, { role: 'assistant', content: said }])
      for (const { cache_control: _, ...block } of content) {
        if (block.type === 'thinking') yield [block.signature!, hash(before)]
        else if (block.type !== 'redacted_thinking') before.push([role, block])
      }
  }

  return {
    bind(body, said) {
      for (const [signature, prefix] of thoughts(body, said))
        bound.set(signature, (bound.get(signature) ?? new Set()).add(prefix))
    },
    refusalOf(body) {
      for (const [signature, prefix] of thoughts(body))
        if (bound.get(signature)?.has(prefix) === false)
          return 'Invalid `signature` in `thinking` block. The block is bound to a different conversation.'
      return null
    },
  }
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
