import type { Tool } from '../../../protocol/events/epoch.ts'
import { geminiError, readGemini } from './stream.ts'
import { sseData } from '../transport/sse.ts'
import { isFirstShape, type Model, type ModelRequest, type OpenOptions } from '../model.ts'
import { post } from '../transport/post.ts'

/** Google’s Gemini API. The key goes into a header: an address ends up in logs. */
export function createGeminiModel(options: OpenOptions): Model {
  const { setup, who, apiKey, agents } = options
  const name = options.name.replace(/^models\//, '')
  const model = `${options.baseUrl.replace(/\/+$/, '')}/v1beta/models/${encodeURIComponent(name)}`
  const url = `${model}:streamGenerateContent?alt=sse`
  const headers = {
    ...(apiKey !== null && { 'x-goog-api-key': apiKey }),
    ...options.headers,
  }
  return {
    setup,
    async *reply(request, { signal, heard }) {
      const body = geminiBody(name, request)
      const response = await post({ url, who, headers, body, signal, agents, heard })
      yield* readGemini(
        sseData(response, { signal, heard, errorIn: (value) => geminiError(who, value) }),
        who,
      )
    },
  }
}

/**
 * The contents stand in the body as their wire wrote them. Nothing about sampling or length is set:
 * what Google means a model to do is right for it, and the bytes before the contents stay the same.
 */
export function geminiBody(name: string, request: ModelRequest): string {
  const { setup, messages } = request
  const { system, tools } = setup
  const head = [
    ...(system === ''
      ? []
      : [`"systemInstruction":${JSON.stringify({ parts: [{ text: system }] })}`]),
    ...(tools.length === 0
      ? []
      : [`"tools":[{"functionDeclarations":[${tools.map(declaration).join(',')}]}]`]),
    ...(streamsThoughts(name)
      ? ['"generationConfig":{"thinkingConfig":{"includeThoughts":true}}']
      : []),
  ]
  const contents = [...opening(request), ...messages].join(',')
  return `{${[...head, `"contents":[${contents}]`].join(',')}}`
}

/** A conversation has to begin with the user, also where a history begins with a reply. */
function opening({ setup, messages: [first] }: ModelRequest): readonly string[] {
  if (isFirstShape(setup) || !first?.startsWith('{"role":"model"')) return []
  return ['{"role":"user","parts":[{"text":"(the session begins)"}]}']
}

/** `parameters` would take a part of OpenAPI only; this one takes JSON Schema. */
function declaration({ name, description, parameters }: Tool): string {
  const head = JSON.stringify({ name, description }).slice(0, -1)
  return `${head},"parametersJsonSchema":${parameters}}`
}

/**
 * A model that thinks for minutes without a word would be taken for dead, so it is asked to tell its
 * thoughts. A model that does not think, or not by itself, refuses the request for it.
 */
function streamsThoughts(name: string): boolean {
  const thinks = /^gemini-(2\.5-(pro|flash)|([3-9]|\d\d)[.-]|(pro|flash)-latest)/
  return thinks.test(name) && !/lite|image|tts|audio|live/.test(name)
}
