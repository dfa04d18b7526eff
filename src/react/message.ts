import type { CallEntry, Entry, RunEntry } from '../view/entry.ts'
import type { Message } from './chat-types.ts'

type Told = Pick<Message, 'role' | 'content'>

/** Null for what is no message: a question, a notice, a prompt that was taken back. */
export function messageOf(session: string, entry: Entry): Message | null {
  const told = tell(entry)
  if (told === null) return null
  return { id: `${session}/${entry.seq}`, ...told, timestamp: new Date(entry.at) }
}

function tell(entry: Entry): Told | null {
  switch (entry.kind) {
    case 'prompt':
      return entry.state === 'withdrawn' ? null : { role: 'user', content: entry.text }
    case 'reply': {
      const { reply } = entry
      return {
        role: 'assistant',
        content: reply.phase === 'open' ? reply.live.text : reply.text,
      }
    }
    case 'run':
      return { role: 'tool', content: contentOfRun(entry) }
    case 'call':
      return { role: 'tool', content: contentOfCall(entry) }
    case 'ask':
    case 'notice':
      return null
  }
}

/** The record that the model reads has the command in it; until then it is made to look the same. */
function contentOfRun({ command, answer, state }: RunEntry): string {
  if (answer !== null) return answer.content
  return `$ ${command}\n${state.phase === 'running' ? state.live.text : ''}`
}

function contentOfCall({ name, args, answer }: CallEntry): string {
  return answer === null ? `${name} ${args}` : answer.content
}
