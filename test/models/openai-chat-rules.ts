import { dataUrlProblem, stillTypes } from './picture-rules.ts'

interface ContentPart {
  type: string
  text?: string
  image_url?: { url: string }
}

interface Message {
  role: string
  content: string | readonly ContentPart[] | null
  tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

const name = /^[a-zA-Z0-9_-]{1,64}$/

/** Why OpenAI, or one of the servers that resemble it, refuses these messages. */
export function chatRefusal(body: string): string | null {
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(body))
    return 'We could not parse the JSON body: half a character.'
  const { messages, max_tokens: limit } = JSON.parse(body) as {
    messages: Message[]
    max_tokens?: number
  }
  if (limit !== undefined) return "Unsupported parameter: 'max_tokens'."
  const [first, ...rest] = messages
  if (first?.role !== 'system') return 'the system prompt is missing'
  if (rest.length === 0) return 'there is nothing to answer'
  const open = new Set<string>()
  for (const message of rest) {
    const why = message.role === 'tool' ? answerRefusal(message, open) : turnRefusal(message, open)
    if (why !== null) return why
  }
  return unanswered(open)
}

function answerRefusal(
  { content, tool_call_id: id = '' }: Message,
  open: Set<string>,
): string | null {
  if (typeof content !== 'string') return 'Invalid type for content.'
  return open.delete(id)
    ? null
    : "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
}

function turnRefusal(
  { role, content, tool_calls: calls = [] }: Message,
  open: Set<string>,
): string | null {
  if (open.size > 0) return unanswered(open)
  if (role !== 'user' && role !== 'assistant') return `Invalid role: ${role}`
  if (content === null && (role === 'user' || calls.length === 0))
    return "Invalid value for 'content': expected a string, got null."
  if (content !== null && typeof content !== 'string') return partsRefusal(role, content)
  if (content === '' || (calls.length === 0 && content?.trim() === '')) return 'content is empty'
  for (const { id, function: made } of calls) {
    if (!name.test(made.name)) return `Invalid function name: ${made.name}`
    if (made.arguments === '') return 'invalid tool call arguments'
    if (open.has(id)) return `Duplicate tool call id: ${id}`
    open.add(id)
  }
  return null
}

function partsRefusal(role: string, parts: readonly ContentPart[]): string | null {
  if (role !== 'user') return 'Invalid content type.'
  if (parts.length === 0) return 'content is empty'
  const faults = parts.map(({ type, text, image_url: image }) => {
    if (type === 'text') return text?.trim() ? null : 'content is empty'
    return type === 'image_url' && image
      ? dataUrlProblem(image.url, stillTypes)
      : `Invalid value: '${type}'.`
  })
  return faults.find((fault) => fault !== null) ?? null
}

function unanswered(open: ReadonlySet<string>): string | null {
  if (open.size === 0) return null
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${[...open].join(', ')}`
}

/** As a chat template says it that knows nothing but two people in turn. */
export function strictRefusal(body: string): string | null {
  const { messages } = JSON.parse(body) as { messages: Message[] }
  const inTurn = messages
    .slice(1)
    .every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
  if (!inTurn) return 'Conversation roles must alternate user/assistant/user/assistant/...'
  return chatRefusal(body)
}
