import { refusalOf } from '../../client/client-error.ts'
import type { Client } from '../../client/connect.ts'
import { routes } from '../../protocol/routes.ts'
import type { Head, SessionId } from '../../protocol/seq.ts'
import { explainAsk } from '../ask-person.ts'
import { attach, type Attached } from '../attach.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { createSession, findSession, newestSession } from '../find-session.ts'
import { followTurn } from '../follow-turn.ts'
import type { Io } from '../io.ts'
import { readStdin } from '../read-stdin.ts'
import { createTurnOutput, type OutputFormat } from '../turn-output.ts'
import { exitCodeOf, failedResult } from '../turn-result.ts'
import { problemOf } from '../problem.ts'

export interface PromptOptions {
  prompt?: string
  continue?: boolean
  session?: string
  model?: string
  outputFormat: OutputFormat
  timeout?: number
}

/** `tandem -p`: one turn, its answer on stdout. */
export async function promptCommand(io: Io, options: PromptOptions): Promise<number> {
  const text = await promptText(io, options.prompt)
  const output = createTurnOutput(io, options.outputFormat)
  try {
    const attached = await attach(io, options.model)
    const { client } = attached
    const { session, after } = await pickSession(io, client, options)
    const view = await client.call(routes.session, { params: { id: session } })
    const [ask] = view.open.asks
    // What begins with a slash may be the answer: the session knows.
    if (ask && !text.trimStart().startsWith('/')) {
      explainAsk(io, view, ask)
      throw new CliError('the session waits for an answer first.', exitCode.approval)
    }
    await pickModel(attached, session, options.model)
    const result = await followTurn(io, text, {
      client,
      session,
      after,
      output,
      timeoutMs: options.timeout,
    })
    output.result(result)
    if (result.reason === 'approval_needed') await explainOpen(io, client, session)
    return exitCodeOf(result)
  } catch (error) {
    const { message, code } = problemOf(error)
    output.result(failedResult(message))
    io.note(`tandem: ${message}`)
    return code
  }
}

async function explainOpen(io: Io, client: Client, session: SessionId): Promise<void> {
  const view = await client.call(routes.session, { params: { id: session } })
  for (const ask of view.open.asks) explainAsk(io, view, ask)
}

/** What is piped in follows what is said about it. */
async function promptText(io: Io, prompt: string | undefined): Promise<string> {
  const onSilence = () =>
    io.note('tandem: nothing came over stdin, going on without (use < /dev/null to skip the wait)')
  const piped = io.isTerminal.stdin ? '' : await readStdin(io.stdin, { onSilence })
  const text = [prompt ?? '', piped].filter((part) => part.trim() !== '').join('\n\n')
  if (text === '')
    throw new CliError(
      'there is nothing to say: give a text after -p, or pipe one in.',
      exitCode.usage,
    )
  return text
}

async function pickSession(
  io: Io,
  client: Client,
  options: PromptOptions,
): Promise<{ session: SessionId; after: Head }> {
  if (options.session !== undefined) {
    const { id, head } = await findSession(client, options.session)
    return { session: id, after: head }
  }
  if (options.continue) {
    const newest = await newestSession(client, io.cwd)
    if (newest) return { session: newest.id, after: newest.head }
    io.note('tandem: this folder has no session yet, so this is a new one.')
  }
  return { session: (await createSession(client, io.cwd)).id, after: 0 }
}

/** The session changes its model itself, and says so in its log. */
async function pickModel(
  { client, server }: Attached,
  session: SessionId,
  model: string | undefined,
): Promise<void> {
  if (model === undefined || model === server.health.model) return
  await client.send(session, { text: `/model ${model}` }).catch((cause: unknown) => {
    const why = refusalOf(cause)?.message
    if (why === undefined) throw cause
    throw new CliError(why, exitCode.config, { cause })
  })
}
