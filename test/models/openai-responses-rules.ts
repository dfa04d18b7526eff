import { createHash } from 'node:crypto'
import { dataUrlProblem, stillTypes } from './picture-rules.ts'

/** One of the items that a request or a reply is a list of. */
export interface Item {
  type: string
  id?: string
  status?: string
  role?: string
  phase?: string
  content?: readonly { type: string; text?: string | undefined; image_url?: string }[]
  summary?: readonly { type: string; text: string }[]
  encrypted_content?: string
  call_id?: string
  name?: string
  arguments?: string
  output?: string
}

interface Body {
  input: readonly Item[]
  instructions?: string
  store?: boolean
  stream?: boolean
  tools?: readonly { type: string; name?: string }[]
  max_output_tokens?: number
}

/** Only the server can make one, and it sees when one was changed. */
export function encrypt(summary: string): string {
  return `gAAAAA${createHash('sha256').update(`a secret ${summary}`).digest('base64url')}`
}

/** Why OpenAI refuses this request. */
export function responsesRefusal(text: string): string | null {
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(text))
    return 'We could not parse the JSON body: half a character.'
  const body = JSON.parse(text) as Body
  if (body.store !== false || body.stream !== true) return 'this server keeps nothing'
  if (body.max_output_tokens !== undefined) return 'the limit is the server’s'
  if (!body.instructions) return 'the system prompt is missing'
  if (body.tools?.some(({ type, name }) => type !== 'function' || !name))
    return "Missing required parameter: 'tools[0].name'."
  if (body.input.length === 0) return 'input is empty'
  const open = new Set<string>()
  for (const [index, item] of body.input.entries()) {
    const why =
      'id' in item ? notFound(item) : itemRefusal(item, { open, next: body.input[index + 1] })
    if (why !== null) return why
  }
  const [unanswered] = open
  return unanswered === undefined ? null : `No tool output found for function call ${unanswered}.`
}

function notFound({ id }: Item): string {
  return `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`
}

function itemRefusal(item: Item, { open, next }: { open: Set<string>; next?: Item | undefined }) {
  switch (item.type) {
    case 'reasoning':
      return thoughtRefusal(item, next)
    case 'message':
      return messageRefusal(item)
    case 'function_call':
      return callRefusal(item, open)
    case 'function_call_output':
      if (typeof item.output !== 'string') return 'Invalid type for output.'
      return open.delete(item.call_id ?? '')
        ? null
        : `No tool call found for function call output with call_id ${item.call_id}.`
    default:
      return `Invalid value: '${item.type}'.`
  }
}

function thoughtRefusal(
  { summary, encrypted_content: encrypted }: Item,
  next?: Item,
): string | null {
  const words = (summary ?? []).map(({ text }) => text).join('\n\n')
  if (encrypted !== encrypt(words)) return 'The encrypted content could not be verified.'
  const isLed =
    ['reasoning', 'function_call'].includes(next?.type ?? '') || next?.role === 'assistant'
  return isLed ? null : "Item of type 'reasoning' was provided without its required following item."
}

function messageRefusal({ role = '', content = [] }: Item): string | null {
  const kind = { user: 'input_text', assistant: 'output_text' }[role]
  if (kind === undefined || content.length === 0) return `Invalid message of '${role}'.`
  const pictures = content.filter(({ type }) => role === 'user' && type === 'input_image')
  const texts = content.filter((part) => !pictures.includes(part))
  if (texts.some(({ type }) => type !== kind)) return `Invalid value: expected '${kind}'.`
  if (texts.some(({ text }) => text === '')) return 'text is empty'
  const faults = pictures.map(({ image_url: url = '' }) => dataUrlProblem(url, stillTypes))
  return faults.find((fault) => fault !== null) ?? null
}

function callRefusal(
  { call_id: id = '', name = '', arguments: args = '' }: Item,
  open: Set<string>,
): string | null {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `Invalid function name: ${name}`
  if (args === '' || id === '') return 'Invalid function call.'
  if (open.has(id)) return `Duplicate call_id: ${id}`
  open.add(id)
  return null
}
