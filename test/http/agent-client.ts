import { AgentLine, type AgentMessage } from '../../src/protocol/http/agent-route.ts'

/** Sends a history to the stateless route; gives the lines that were streamed. */
export async function callAgent(
  server: { url: string; token: string },
  body: unknown,
  signal?: AbortSignal,
): Promise<readonly AgentLine[]> {
  const response = await fetch(`${server.url}/api/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => AgentLine.parse(JSON.parse(block.replace(/^data: /, ''))))
}

/** How a client keeps what it was streamed. */
export type Keeping = (lines: readonly AgentLine[]) => readonly AgentMessage[]

/** Keeps the messages that it was told to send back. */
export const keepsMessages: Keeping = (lines) =>
  lines.flatMap((line) => (line.type === 'iteration-end' ? line.messages : []))

/** As the seed’s hook: texts become a reply, and each result a message of its own, with what only the hook knows. */
export const keepsResults: Keeping = (lines) => iterations(lines).flatMap(hookMessages)

function hookMessages(lines: readonly AgentLine[]): readonly AgentMessage[] {
  const content = lines.map((line) => (line.type === 'text' ? line.content : '')).join('')
  const results = lines.flatMap((line) => (line.type === 'tool-result' ? [line.result] : []))
  const all = [
    { role: 'assistant', content } as const,
    ...results.map((result) => ({ role: 'tool', content: result }) as const),
  ]
  return all.map((message) => ({ ...message, id: 'x', timestamp: '2026-11-18T09:00:00Z' }))
}

/** As the seed’s code joins the results of one reply: each below its command, blank lines between. */
export const keepsJoined: Keeping = (lines) =>
  iterations(lines).flatMap((some) => {
    const [said, ...results] = hookMessages(some)
    const commands = some.flatMap((line) => (line.type === 'tool-result' ? [line.command] : []))
    const joined = results.map(({ content }, index) => `$ ${commands[index]}\n${content}`)
    const tool = { role: 'tool', content: joined.join('\n\n') } as const
    return said === undefined ? [] : joined.length === 0 ? [said] : [said, tool]
  })

function iterations(lines: readonly AgentLine[]): readonly (readonly AgentLine[])[] {
  const all: AgentLine[][] = []
  let now: AgentLine[] = []
  for (const line of lines) {
    now.push(line)
    if (line.type !== 'iteration-end') continue
    all.push(now)
    now = []
  }
  return all
}
