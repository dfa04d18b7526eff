// Lets a provider's own SDK send a request to a scripted server, and prints as JSON how it read the answer.
// Copied to where the SDKs are installed. Argument: {"sdk", "baseUrl", "apiKey", "body", "name"}.
const { sdk, baseUrl, apiKey, body, name } = JSON.parse(process.argv[2])

const readers = {
  async 'openai-chat'() {
    const { OpenAI } = await import('openai')
    const client = new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 0 })
    const done = await client.chat.completions.stream(body).finalChatCompletion()
    const { message, finish_reason: stop } = done.choices[0]
    const calls = (message.tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.function.name,
      args: call.function.arguments,
    }))
    const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details } = done.usage
    const usage = { input, output, cacheRead: prompt_tokens_details?.cached_tokens ?? 0 }
    return { text: message.content ?? '', calls, stop, usage }
  },
  async 'openai-responses'() {
    const { OpenAI } = await import('openai')
    const client = new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 0 })
    let last = null
    for await (const event of client.responses.stream(body))
      if ('response' in event) last = event.response
    const calls = last.output
      .filter((item) => item.type === 'function_call')
      .map((item) => ({ id: item.call_id, name: item.name, args: item.arguments }))
    const { input_tokens: input, output_tokens: output, input_tokens_details } = last.usage
    const text = last.output
      .flatMap((item) => (item.type === 'message' ? item.content : []))
      .map((part) => part.text ?? '')
      .join('')
    const stop = last.incomplete_details?.reason ?? last.status
    const usage = { input, output, cacheRead: input_tokens_details.cached_tokens }
    return { text, calls, stop, usage }
  },
  async anthropic() {
    const { Anthropic } = await import('@anthropic-ai/sdk')
    const client = new Anthropic({ baseURL: baseUrl, apiKey, maxRetries: 0 })
    const done = await client.messages.stream(body).finalMessage()
    const text = done.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    const calls = done.content
      .filter((block) => block.type === 'tool_use')
      .map(({ id, name: tool, input }) => ({ id, name: tool, args: JSON.stringify(input) }))
    const { input_tokens, output_tokens: output, cache_read_input_tokens: cacheRead } = done.usage
    const input = input_tokens + cacheRead + done.usage.cache_creation_input_tokens
    const thoughts = done.content.filter((block) => block.type === 'thinking')
    const signatures = thoughts.map((block) => block.signature)
    return { text, calls, stop: done.stop_reason, usage: { input, output, cacheRead }, signatures }
  },
  async gemini() {
    const { GoogleGenAI } = await import('@google/genai')
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } })
    const { contents, generationConfig = {}, ...config } = body
    const stream = await client.models.generateContentStream({
      model: name,
      contents,
      config: { ...config, ...generationConfig },
    })
    const read = { text: '', calls: [], stop: '', usage: null }
    for await (const chunk of stream) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
        if (part.text && !part.thought) read.text += part.text
        const call = part.functionCall
        if (call) read.calls.push({ name: call.name, args: JSON.stringify(call.args) })
      }
      read.stop = chunk.candidates?.[0]?.finishReason ?? read.stop
      const told = chunk.usageMetadata
      if (told)
        read.usage = {
          input: told.promptTokenCount,
          output: told.candidatesTokenCount + (told.thoughtsTokenCount ?? 0),
          cacheRead: told.cachedContentTokenCount ?? 0,
        }
    }
    return read
  },
}

process.stdout.write(JSON.stringify(await readers[sdk]()))
