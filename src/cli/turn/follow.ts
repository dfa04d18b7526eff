import { readOutput } from '../../client/session/records.ts'
import { intentsOf } from '../../client/session/intents.ts'
import { refusalOf } from '../../client/wire/client-error.ts'
import type { Client } from '../../client/wire/connect.ts'
import { createFeed, type Feed } from '../../client/session/feed.ts'
import { until } from '../../client/session/until.ts'
import type { ElicitationRequest } from '../../protocol/events/ask.ts'
import type { Event } from '../../protocol/events/event.ts'
import { limits } from '../../protocol/limits.ts'
import type { Head, SessionId } from '../../protocol/events/seq.ts'
import { aboutSecrets, askPerson } from './ask-person.ts'
import { scriptAttempts } from '../attach.ts'
import { isInteractive, type Io } from '../io.ts'
import { createPlainOutput } from '../run/pipe-output.ts'
import {
  advance,
  beginProgress,
  isOver,
  type Progress,
} from '../../client/session/turn-progress.ts'
import type { TurnOutput } from './output.ts'
import { resultOf, type Reason, type TurnResult } from './result.ts'

export interface TurnOptions {
  client: Client
  session: SessionId
  /** Events after this one are told. */
  after: Head
  output: TurnOutput
  /** The output of a command keeps its control characters. */
  isRaw: boolean
  timeoutMs?: number | undefined
  /** The person said that the text is no password. */
  notSecret: boolean
}

/** How long a turn that was told to end may take to say so. */
const closingMs = 10_000

/** Submits a text and stays until nothing more is to come of it, or a person is needed. */
export async function followTurn(io: Io, text: string, options: TurnOptions): Promise<TurnResult> {
  const { client, session, after, output } = options
  const stop = stopper(io, options.timeoutMs)
  const early: Event[] = []
  let progress: Progress | null = null
  const feed = createFeed(client, {
    session,
    after,
    attempts: scriptAttempts,
    onEvent(event) {
      if (progress && isOver(progress)) return
      output.event(event)
      if (progress) progress = advance(progress, event)
      else early.push(event)
    },
  })
  const unsubscribe = feed.subscribe(() => output.view(feed.getSnapshot().view))
  try {
    const sent = await client.send(session, { text, ...aboutSecrets(io, options) })
    const span = { first: sent.first ?? sent.head + 1, head: sent.head }
    progress = early.reduce(advance, beginProgress(span))
    const now = () => progress ?? beginProgress(span)
    const cut = await waitForEnd({ io, client, session, feed, now, stop })
    return resultOf(
      session,
      await withOutput({ client, session, isRaw: options.isRaw }, now()),
      cut,
    )
  } finally {
    unsubscribe()
    feed.close()
    stop.release()
  }
}

/** Adds the output of a command of the person’s own, as far as a screen of it is kept at hand. */
async function withOutput(
  { client, session, isRaw }: Pick<TurnOptions, 'client' | 'session' | 'isRaw'>,
  progress: Progress,
): Promise<Progress> {
  const { own, turn, text } = progress
  if (own === null || turn !== null || text !== '') return progress
  const plain = isRaw ? asItIs : createPlainOutput()
  let printed = ''
  let from = 0
  let total = 1
  while (from < Math.min(total, limits.shownBytes)) {
    const page = await readOutput(client, { session, run: own, from })
    printed += plain.write(page.text)
    total = page.to > from ? page.total : 0
    from = page.to
  }
  printed += plain.end()
  const note = total > from ? `\n[${total - from} more bytes are in the session]\n` : ''
  return { ...progress, text: printed + note }
}

const asItIs = { write: (text: string) => text, end: () => '' }

interface Waiting {
  io: Io
  client: Client
  session: SessionId
  feed: Feed
  now: () => Progress
  stop: Stopper
}

/** Null when it came to its own end. */
async function waitForEnd(waiting: Waiting): Promise<Reason | null> {
  const { io, feed, now, stop } = waiting
  for (;;) {
    const next = await until(
      feed,
      () => {
        if (isOver(now())) return 'over'
        return now().asks[0]
      },
      { signal: stop.signal },
    ).catch((error: unknown) => {
      if (stop.reason === null) throw error
      return 'stopped' as const
    })
    if (next === 'over') return null
    if (next === 'stopped') {
      await endTurn(waiting)
      return stop.reason
    }
    const isAnswered = isInteractive(io) && (await askHere(waiting, next))
    // Ctrl+C at the question stops the turn; the next round sees to it.
    if (!isAnswered && stop.reason === null) return 'approval_needed'
  }
}

/** False when the question is still open; someone else may answer it meanwhile. */
async function askHere(waiting: Waiting, ask: ElicitationRequest): Promise<boolean> {
  const { feed, now, stop } = waiting
  const settled = new AbortController()
  const isClosed = () => (now().asks.some(({ seq }) => seq === ask.seq) ? undefined : true)
  const closed = until(feed, isClosed, { signal: stop.signal })
    // Stopped instead of answered; whoever waits for the end finds out by itself.
    .catch(() => true)
    .finally(() => settled.abort())
  const isAnswered = await askPerson(waiting, ask, settled.signal)
  return isAnswered && closed
}

/** Ends the turn, or the command if it was one, and hears it out; a second Ctrl+C does not wait. */
async function endTurn({ client, session, feed, now, stop }: Waiting): Promise<void> {
  const intents = intentsOf(client, session)
  const unlessRefused = (error: unknown) => {
    if (!refusalOf(error)) throw error
  }
  await intents.stop().catch(unlessRefused)
  // Calls that only wait, or run beside the terminal, are taken back.
  for (const seq of now().calls.keys()) await intents.withdraw(seq).catch(unlessRefused)
  const patience = AbortSignal.any([stop.again, AbortSignal.timeout(closingMs)])
  const over = () => (isOver(now()) ? true : undefined)
  await until(feed, over, { signal: patience }).catch(() => null)
}

interface Stopper {
  signal: AbortSignal
  /** A second Ctrl+C. */
  again: AbortSignal
  readonly reason: 'interrupted' | 'timeout' | null
  release(): void
}

function stopper(io: Io, timeoutMs: number | undefined): Stopper {
  const first = new AbortController()
  const second = new AbortController()
  let reason: Stopper['reason'] = null
  const stop = (why: 'interrupted' | 'timeout') => {
    if (reason) return second.abort()
    reason = why
    first.abort()
  }
  const timer = timeoutMs === undefined ? null : setTimeout(() => stop('timeout'), timeoutMs)
  const release = io.onStop(() => stop('interrupted'))
  return {
    signal: first.signal,
    again: second.signal,
    get reason() {
      return reason
    },
    release() {
      if (timer) clearTimeout(timer)
      release()
    },
  }
}
