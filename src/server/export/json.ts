import type { SessionId } from '../../protocol/seq.ts'
import { type Called, type Item, type Ran, statusOf } from './items.ts'
import type { RunTexts } from './run-texts.ts'
import { terminalText } from './terminal-lines.ts'

/** Messages and runs in their order; a run is an entry of type `shell`. */
export async function jsonDocument(
  session: SessionId,
  items: readonly Item[],
  textsOf: (ran: Ran) => Promise<RunTexts>,
): Promise<string> {
  const messages: object[] = []
  for (const item of items) messages.push(await entry(item, textsOf))
  return `${JSON.stringify({ session, messages }, null, 2)}\n`
}

async function entry(item: Item, textsOf: (ran: Ran) => Promise<RunTexts>): Promise<object> {
  const { seq, at } = item
  if (item.type === 'said') return { type: 'message', seq, at, role: item.role, content: item.text }
  if (item.type === 'called') return { type: 'call', seq, at, ...called(item) }
  return { type: 'shell', seq, at, ...shell(item), ...printed(await textsOf(item)) }
}

function called({ request, answer }: Called): object {
  const { name, args } = request
  return { name, args, status: answer?.status ?? 'running', content: answer?.content ?? null }
}

function shell(ran: Ran): object {
  const { start, end } = ran
  return {
    id: start?.run ?? null,
    command: ran.private ? null : ran.command,
    repo: ran.repo,
    cwd: ran.private ? null : ran.cwd,
    source: ran.source,
    private: ran.private,
    status: statusOf(ran),
    exit_code: end?.exitCode ?? null,
    duration_ms: end?.durationMs ?? null,
  }
}

/** A program's own streams stand as they are; what went to a terminal, as it finally stood there. */
function printed({ output, stdout, stderr, omitted }: RunTexts): object {
  if (stdout !== undefined) return { stdout, stderr, omitted }
  return { output: output === undefined ? null : terminalText(output), omitted }
}
