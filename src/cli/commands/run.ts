import { createSession } from '../../client/sessions.ts'
import { intentsOf } from '../../client/session/intents.ts'
import { refusalOf } from '../../client/wire/client-error.ts'
import type { Client } from '../../client/wire/connect.ts'
import type { ToolUpdate } from '../../protocol/stream/delta.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import { isComment } from '../../base/text.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { attach, scriptAttempts } from '../attach.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { findSession, liveSession, type SessionRef } from '../find-session.ts'
import { type Io, isInteractive } from '../io.ts'
import { commandLine } from '../run/quote.ts'
import { aboutSecrets } from '../turn/ask-person.ts'
import {
  createKeepOffer,
  createRunPrinter,
  advanceRun,
  beginRun,
  isRunOver,
  runExitCode,
  runRemark,
  type RunProgress,
} from '../run/printer.ts'

export interface RunOptions {
  session?: string
  private?: boolean
  notSecret?: boolean
}

/** `tandem run`: a command in the shared shell, as if it ran here. */
export async function runCommand(
  io: Io,
  words: readonly string[],
  options: RunOptions,
): Promise<number> {
  const command = commandLine(words)
  if (command.trim() === '')
    throw new CliError('there is no command. Try: tandem run -- git status', exitCode.usage)
  // The session takes no notice of it, and there would be no end to wait for.
  if (isComment(command)) return exitCode.ok
  const { client } = await attach(io)
  const { id: session, head } = await pickSession(io, client, options.session)
  const printer = createRunPrinter(io, client, session)
  const offer = createKeepOffer(io, client, session)
  let isFull = false
  const watch = createWatch(io, (update) => {
    printer.update(update)
    offer.update(update)
    if (update.status === 'disk_full' && !isFull)
      io.note('tandem: the disk is full: output is not kept.')
    isFull ||= update.status === 'disk_full'
  })
  const closing = new AbortController()
  const stopped = stopOnSignal({ io, client, session, watch })
  const following = client
    .follow({
      session,
      after: head,
      signal: closing.signal,
      attempts: scriptAttempts,
      onFrames: watch.frames,
    })
    .then(() => Promise.reject(new CliError('the session was deleted while the command ran.')))
  try {
    // In bash mode a line with an exclamation mark is one too; two of them make it private.
    const sent = await client.send(session, {
      ...(options.private ? { text: `!!${command}` } : { text: command, as: 'run' }),
      // Nobody could keep it: a script waits as long as its command takes.
      ...(isInteractive(io) ? {} : { timeoutMs: 0 }),
      ...aboutSecrets(io, options),
    })
    watch.sent({ first: sent.first ?? sent.head + 1, head: sent.head })
    const progress = await Promise.race([watch.over, stopped.again, following])
    if (progress === 'stopped') return exitCode.interrupted
    if (progress.end) await printer.finish(progress.end)
    const remark = runRemark(progress)
    if (remark !== null) io.note(`tandem: ${remark}`)
    return stopped.isStopped() ? exitCode.interrupted : runExitCode(progress)
  } finally {
    offer.close()
    stopped.release()
    closing.abort()
    // Its end is no news any more.
    following.catch(() => null)
  }
}

async function pickSession(io: Io, client: Client, id: string | undefined): Promise<SessionRef> {
  if (id !== undefined) return findSession(client, id)
  return (await liveSession(client, io.cwd)) ?? createSession(client, io.cwd)
}

function createWatch(io: Io, onUpdate: (update: ToolUpdate) => void) {
  const early: Frame[] = []
  let progress: RunProgress | null = null
  let resolve: (progress: RunProgress) => void = () => {}
  const over = new Promise<RunProgress>((done) => (resolve = done))

  const take = (before: RunProgress, frame: Frame): RunProgress => {
    if (frame.type === 'event') {
      const { event } = frame
      const after = advanceRun(before, event)
      if (event.type === 'tool_response' && event === after.answer && event.status === 'waiting')
        io.note('tandem: the command waits for input. Give it in the browser: tandem web')
      return after
    }
    if (frame.type === 'delta' && frame.delta.type === 'tool_update')
      if (frame.delta.request === before.call) onUpdate(frame.delta)
    return before
  }
  const frames = (batch: readonly Frame[]) => {
    if (!progress) {
      early.push(...batch)
      return
    }
    progress = batch.reduce(take, progress)
    if (isRunOver(progress)) resolve(progress)
  }
  return {
    frames,
    /** Which events are ours; what came before this was known is looked at then. */
    sent(span: RunProgress['span']): void {
      progress = beginRun(span)
      frames(early)
    },
    now: (): RunProgress | null => progress,
    over,
  }
}

interface Target {
  io: Io
  client: Client
  session: SessionId
  watch: ReturnType<typeof createWatch>
}

/** Ctrl+C goes to the command, or takes it back if it only waits; the second one leaves it alone. */
function stopOnSignal({ io, client, session, watch }: Target) {
  let isStopped = false
  let leave: (word: 'stopped') => void = () => {}
  const again = new Promise<'stopped'>((resolve) => (leave = resolve))
  const intents = intentsOf(client, session)
  const stop = async () => {
    const { start = null, call = null } = watch.now() ?? {}
    if (start || call === null) await intents.stop({ hasTurn: false })
    else await intents.withdraw(call)
  }
  const release = io.onStop(() => {
    if (isStopped) return leave('stopped')
    isStopped = true
    stop().catch((error: unknown) => {
      // It ended by itself meanwhile.
      if (!refusalOf(error)) io.note('tandem: the command could not be interrupted.')
    })
  })
  return { again, release, isStopped: () => isStopped }
}
