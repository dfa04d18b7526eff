// A model server that says what the story wants said, in the chat completions format.
import { once } from 'node:events'
import { createServer } from 'node:http'

const usage = {
  prompt_tokens: 3412,
  completion_tokens: 148,
  prompt_tokens_details: { cached_tokens: 3104 },
}

export async function startModel() {
  const replies = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.end('{"data":[{"id":"default"}]}')
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const piece = (delta, finish_reason = null) => ({
      choices: [{ index: 0, delta, finish_reason }],
    })
    const said = [
      piece({ content: replies.shift() ?? 'Done.' }),
      piece({}, 'stop'),
      { choices: [], usage },
    ]
    response.end(
      `${said.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')}data: [DONE]\n\n`,
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    say: (...more) => void replies.push(...more),
    close: () => server.close(),
  }
}
