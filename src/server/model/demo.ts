import { textOf } from '../../protocol/events/message.ts'
import type { Wire, Model } from './model.ts'
import { z } from 'zod'
import { noUsage } from '../../log/state.ts'
import { setupOf } from './setup.ts'

/** The built-in demo reads who said what. */
export const demo: Wire = {
  taken: ({ parts }) => parts.map(({ kind, text }) => JSON.stringify({ kind, text })),
  reply: ({ parts }) => [JSON.stringify({ kind: 'reply', text: textOf(parts) })],
}

/** One message of the conversation, as the demo’s wire writes it. */
const Said = z.object({ kind: z.enum(['prompt', 'reply', 'record']), text: z.string() })
export type Said = z.infer<typeof Said>

/**
 * The built-in demo: offline, deterministic, and plainly not a language model. It can show the whole
 * loop: list files, quote the last failure, propose a command that has to be approved.
 */
export function createDemoModel({ other = null }: { other?: string | null } = {}): Model {
  return {
    setup: setupOf({ model: 'demo/offline', adapter: 'demo', dialect: 'tags' }),
    async *reply({ messages }, { signal }) {
      const said = messages.map((message) => Said.parse(JSON.parse(message)))
      for (const word of withOffered(demoReply(said), other).split(/(?<=\s)/)) {
        signal.throwIfAborted()
        yield { type: 'text', text: word }
        // Lets the words be seen one by one, and an abort come between them.
        await new Promise((resolve) => setImmediate(resolve))
      }
      yield { type: 'end', stop: 'done', usage: noUsage }
    },
  }
}

/** Tells of a model that has appeared since; not beside a command, whose result is told first. */
export function withOffered(reply: string, other: string | null): string {
  if (other === null || reply.includes('<shell>')) return reply
  return `${reply}\n\nThere is a language model now. To go on with it in this session: /model ${other}`
}

/** The demo's reply, a pure function of the conversation. */
export function demoReply(parts: readonly Said[]): string {
  const prompt = parts.findLast((part) => part.kind === 'prompt')
  const lastReply = parts.findLastIndex((part) => part.kind === 'reply')
  const fresh = parts.slice(lastReply + 1)
  const answersCall = lastReply !== -1 && !fresh.some((part) => part.kind === 'prompt')
  if (answersCall) return aboutResults(fresh)
  const text = prompt?.text.toLowerCase() ?? ''
  if (/\b(fail|failed|failure|error|wrong|why)\b/.test(text)) return aboutFailure(parts)
  if (/\b(remove|delete|clean|rm)\b/.test(text))
    return 'I can do that, but it deletes, so you will be asked first.\n\n<shell>rm -rf tandem-demo</shell>'
  if (/\b(where|folder|directory|pwd)\b/.test(text))
    return 'Let me look where the shell is.\n\n<shell>pwd</shell>'
  if (/\b(list|files|ls|what is here|look)\b/.test(text)) return 'Let me look.\n\n<shell>ls</shell>'
  return help
}

const help = `I am Tandem’s built-in demo, not a language model: I work offline and know only a few tricks. Try:

- "list the files": I run \`ls\` in the shell we share
- "!false" and then "what failed?": I read the last failure from the session
- "clean up": I propose \`rm -rf tandem-demo\`, and you are asked before it runs

To talk to a language model, press “Add a model” in the page, or run: tandem models add`

function aboutResults(fresh: readonly Said[]): string {
  const results = fresh.map((part) => part.text)
  const all = results.join('\n\n')
  const isDenied = results.some((text) => /\[denied by the user/.test(text))
  if (isDenied) return 'Understood, I will leave it.'
  return `That gave:\n\n\`\`\`\n${all.replaceAll('```', "'''")}\n\`\`\``
}

function aboutFailure(parts: readonly Said[]): string {
  const failed = parts.findLast(
    (part) => part.kind === 'record' && /^\$ [\s\S]*\[exit [1-9]\d*/.test(part.text),
  )
  if (!failed) return 'Nothing has failed in this session so far.'
  return `The last command that failed was:\n\n\`\`\`\n${failed.text.replaceAll('```', "'''")}\n\`\`\``
}
