import type { Readable } from 'node:stream'
import { limits } from '../../protocol/limits.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { complaint } from '../complain.ts'
import { problemOf } from '../problem.ts'
import { createSession } from '../../client/sessions.ts'
import { intentsOf } from '../../client/session/intents.ts'
import { readSession } from '../../client/session/records.ts'
import { refusalOf } from '../../client/wire/client-error.ts'
import type { Client } from '../../client/wire/connect.ts'
import type { Head, SessionId } from '../../protocol/events/seq.ts'
import { explainAsk } from '../turn/ask-person.ts'
import { attach, type Attached } from '../attach.ts'
import { findSession, newestSession } from '../find-session.ts'
import { followTurn } from '../turn/follow.ts'
import type { Io } from '../io.ts'
import { createTurnOutput, type OutputFormat } from '../turn/output.ts'
import { exitCodeOf, failedResult, type TurnResult } from '../turn/result.ts'

/** Long enough for the slowest `cmd |` to say something; a pipe nobody writes to must not hang us. */
const graceMs = 3_000

/** All that is piped in. An open pipe that stays silent counts as empty. */
export async function readStdin(
  stdin: Readable,
  { onSilence }: { onSilence: () => void },
): Promise<string> {
  let isSilent = false
  const timer = setTimeout(() => {
    isSilent = true
    stdin.destroy()
  }, graceMs)
  const pieces: Buffer[] = []
  let size = 0
  stdin.once('data', () => clearTimeout(timer))
  try {
    for await (const piece of stdin) {
      const bytes = Buffer.from(piece)
      size += bytes.length
      // A character has at most four bytes, and three of them are not worth counting exactly.
      if (size > limits.inputChars * 4) throw tooLong()
      pieces.push(bytes)
    }
  } catch (error) {
    if (!isSilent) throw error
  } finally {
    clearTimeout(timer)
  }
  if (isSilent) onSilence()
  const text = Buffer.concat(pieces).toString('utf8')
  if (text.length > limits.inputChars) throw tooLong()
  return text
}

function tooLong(): CliError {
  return new CliError(
    `what was piped in is longer than ${limits.inputChars} characters. Give less of it.`,
    exitCode.usage,
  )
}

export interface PromptOptions {
  prompt?: string
  continue?: boolean
  session?: string
  model?: string
  outputFormat: OutputFormat
  timeout?: number
  raw?: boolean
  notSecret?: boolean
}

/** `tandem -p`: one turn, its answer on stdout. */
export async function promptCommand(io: Io, options: PromptOptions): Promise<number> {
  const text = await promptText(io, options.prompt)
  // At a terminal nothing steers it, whatever is asked for.
  const isRaw = options.raw === true && !io.isTerminal.stdout
  const output = createTurnOutput(io, { format: options.outputFormat, isRaw })
  try {
    const attached = await attach(io, options.model)
    const { client } = attached
    const { session, after, isNew } = await pickSession(io, client, options)
    const view = await readSession(client, session)
    const [ask] = view.open.asks
    // A text that begins with a slash may be the answer: the session knows.
    if (ask && !text.trimStart().startsWith('/')) {
      explainAsk(io, view, ask)
      throw new CliError('the session waits for an answer first.', exitCode.approval)
    }
    await pickModel(attached, { session, isNew }, options.model)
    const result = await followTurn(io, text, {
      client,
      session,
      after,
      output,
      isRaw,
      timeoutMs: options.timeout,
      notSecret: options.notSecret === true,
    })
    output.result(options.outputFormat === 'json' ? await metered(client, result) : result)
    if (result.reason === 'context_full') io.note(compactHint(session))
    if (result.reason === 'approval_needed') await explainOpen(io, client, session)
    return exitCodeOf(result)
  } catch (error) {
    const { message, code } = problemOf(error)
    output.result(failedResult(message))
    io.note(complaint(message))
    return code
  }
}

/** With what the session has used so far; nobody is told that this could not be read. */
async function metered(client: Client, result: TurnResult): Promise<TurnResult> {
  if (result.session === null) return result
  const view = await readSession(client, result.session).catch(() => null)
  if (!view?.meter) return result
  const { context, size, spent } = view.meter
  return { ...result, meter: { context, size, spent } }
}

const compactHint = (session: SessionId) =>
  `tandem: the model has no room for more. Start anew with a summary: tandem -p /compact --session ${session}`

async function explainOpen(io: Io, client: Client, session: SessionId): Promise<void> {
  const view = await readSession(client, session)
  for (const ask of view.open.asks) explainAsk(io, view, ask)
}

/** Piped text follows what is said about it. */
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
): Promise<{ session: SessionId; after: Head; isNew: boolean }> {
  if (options.session !== undefined) {
    const { id, head } = await findSession(client, options.session)
    return { session: id, after: head, isNew: false }
  }
  if (options.continue) {
    const newest = await newestSession(client, io.cwd)
    if (newest) return { session: newest.id, after: newest.head, isNew: false }
    io.note('tandem: this folder has no session yet, so this is a new one.')
  }
  return { session: (await createSession(client, io.cwd)).id, after: 0, isNew: true }
}

/** The session changes its model itself, and says so in its log. */
async function pickModel(
  { client, server }: Attached,
  { session, isNew }: { session: SessionId; isNew: boolean },
  model: string | undefined,
): Promise<void> {
  if (model === undefined || model === server.health.model) return
  await client.send(session, { text: `/model ${model}` }).catch(async (cause: unknown) => {
    const why = refusalOf(cause)?.message
    if (why === undefined) throw cause
    // It was begun for this prompt alone, which is not sent.
    if (isNew)
      await intentsOf(client, session)
        .remove()
        .catch(() => undefined)
    throw new CliError(why, exitCode.config, { cause })
  })
}
