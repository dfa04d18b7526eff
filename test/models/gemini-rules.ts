import { rawValue } from '../../src/server/model/gemini/raw-value.ts'
import { pictureProblem, stillTypes } from './picture-rules.ts'
import { noSignature, signedCall, signedText } from './gemini-script.ts'

interface Part {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  functionCall?: { id?: string; name?: string; args?: unknown }
  functionResponse?: { id?: string; name?: string; response?: unknown }
  inlineData?: { mimeType: string; data: string }
}

interface Content {
  role?: string
  parts?: Part[]
}

interface Body {
  systemInstruction?: Content
  tools?: { functionDeclarations: { name: string; parameters?: object }[] }[]
  generationConfig?: { thinkingConfig?: { includeThoughts?: boolean } }
  contents?: Content[]
}

/** Why Google would not take this request; null if it would. */
export function whyRefused(body: string, model: string): string | null {
  const request: Body = JSON.parse(body)
  const contents = request.contents ?? []
  return (
    unknownFields(request, ['systemInstruction', 'tools', 'generationConfig', 'contents']) ??
    headFault(request, model) ??
    (contents.length === 0
      ? '* GenerateContentRequest.contents: contents is not specified'
      : null) ??
    first(contents, contentFault) ??
    first(contents, (_, index) => orderFault(contents, index)) ??
    (contents.at(-1)?.role === 'model'
      ? 'Requests ending with a model turn are not supported.'
      : null) ??
    first(contents, (content, index) =>
      signatureFault(content, (...path) => rawValue(body, ['contents', index, 'parts', ...path])),
    ) ??
    unsignedFault(contents)
  )
}

type Fault = string | null

function first<Item>(items: readonly Item[], fault: (item: Item, index: number) => Fault): Fault {
  for (const [index, item] of items.entries()) {
    const found = fault(item, index)
    if (found !== null) return found
  }
  return null
}

function unknownFields(value: object, known: readonly string[]): Fault {
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown === undefined) return null
  return `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`
}

function headFault({ systemInstruction, tools, generationConfig }: Body, model: string): Fault {
  if (systemInstruction && systemInstruction.parts?.some((part) => part.text === ''))
    return '* GenerateContentRequest.system_instruction.parts: must not be empty.'
  for (const { parameters } of tools?.flatMap((tool) => tool.functionDeclarations) ?? [])
    if (parameters && 'additionalProperties' in parameters)
      return 'Invalid JSON payload received. Unknown name "additionalProperties": Cannot find field.'
  if (
    generationConfig?.thinkingConfig?.includeThoughts &&
    !/gemini-(2\.5-(pro|flash)$|3)/.test(model)
  )
    return `Thinking is not enabled for models/${model}`
  return null
}

function contentFault({ role, parts = [] }: Content): Fault {
  if (role !== 'user' && role !== 'model') return 'Please use a valid role: user, model.'
  if (parts.length === 0)
    return '* GenerateContentRequest.contents.parts: contents.parts must not be empty.'
  return first(parts, partFault)
}

const dataFields = ['text', 'functionCall', 'functionResponse', 'inlineData']

function partFault(part: Part): Fault {
  const data = dataFields.filter((field) => field in part)
  if (data.length !== 1) return "required oneof field 'data' must have one initialized field"
  if (part.text === '' && part.thoughtSignature === undefined)
    return 'Unable to submit request because it must have a text parameter.'
  if ((part.functionCall ?? part.functionResponse)?.name === '')
    return 'GenerateContentRequest.contents.parts.function_call.name: Name cannot be empty.'
  const { inlineData } = part
  const fault = inlineData && pictureProblem(inlineData.data, inlineData.mimeType, stillTypes)
  if (fault) return fault
  return unknownFields(part, [...dataFields, 'thought', 'thoughtSignature'])
}

const callsIn = ({ parts = [] }: Content) => parts.flatMap((part) => part.functionCall ?? [])
const responsesIn = ({ parts = [] }: Content) =>
  parts.flatMap((part) => part.functionResponse ?? [])

function orderFault(contents: readonly Content[], index: number): Fault {
  const content = contents[index]!
  const before = contents[index - 1]
  const calls = callsIn(content)
  const responses = responsesIn(content)
  if (calls.length > 0 && before?.role !== 'user')
    return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
  const asked = before ? callsIn(before) : []
  if (responses.length > 0 && asked.length === 0)
    return 'Please ensure that function response turn comes immediately after a function call turn.'
  if (responses.length !== asked.length)
    return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
  const isMatched = responses.every(
    ({ id, name }, n) => id === asked[n]?.id && name === asked[n]?.name,
  )
  return isMatched ? null : 'Function response does not match its function call.'
}

/** A signature belongs to what was said, where it was said. */
function signatureFault(
  { parts = [] }: Content,
  raw: (...path: (string | number)[]) => string | null,
): Fault {
  const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')
  return first(parts, ({ functionCall, thoughtSignature }, index) => {
    if (thoughtSignature === undefined || thoughtSignature === noSignature) return null
    const args = raw(index, 'functionCall', 'args') ?? ''
    const right = functionCall ? signedCall(functionCall.name ?? '', args) : signedText(text)
    return thoughtSignature === right ? null : 'Corrupted thought signature.'
  })
}

/** The turn begins with the last thing a person said; in it the first call of each step is signed. */
function unsignedFault(contents: readonly Content[]): Fault {
  const start = contents.findLastIndex(
    (content) => content.role === 'user' && responsesIn(content).length === 0,
  )
  return first(contents.slice(start + 1), ({ parts = [] }) => {
    const call = parts.find((part) => part.functionCall)
    if (!call || call.thoughtSignature !== undefined) return null
    return `Function call is missing a thought_signature in functionCall parts. Additional data, function call \`default_api:${call.functionCall?.name}\`.`
  })
}
