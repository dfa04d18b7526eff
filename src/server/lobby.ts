import type { By } from '../protocol/by.ts'
import type { Intent } from '../protocol/intent.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { ok, refused, type Result } from '../protocol/result.ts'
import type { Accepted } from '../protocol/session-view.ts'
import { createSerial } from './serial.ts'
import type { Looked, Writer } from './writer.ts'

export interface LobbyDeps {
  writer: Pick<Writer, 'handle' | 'state'>
  /** Looks at the world anew where the intent needs that; what it found counts when the answer is called. */
  prepare(intent: Intent): Promise<() => void>
  /** Where the terminal's byte log ends; null when the shell's holder does not answer. */
  ptyAt(): Promise<number | null>
}

/**
 * Where intents wait for the world outside before they enter the session's queue: files are looked at here, and a
 * shell is waited for. Stop, answers and reports pass by.
 */
export interface Lobby {
  handle: Writer['handle']
  /** What is sent from now on waits for this. */
  hold(work: Promise<void>): void
}

type Answer = Result<Accepted, Refusal>

/** Looked at one after the other, in the order in which they came: what is said first is heard first. */
const inOrder: ReadonlySet<Intent['type']> = new Set(['submit', 'shell', 'edit_queued', 'update'])

export function createLobby({ writer, prepare, ptyAt }: LobbyDeps): Lobby {
  const waiting = createSerial()
  let held: Promise<void> = Promise.resolve()
  let looking = 0
  let stops = 0

  async function look(intent: Intent): Promise<Result<Looked, Refusal>> {
    const at = mayHide(intent) ? await ptyAt() : 0
    return at === null ? refused(silent) : ok({ ptyAt: at, ready: await prepare(intent) })
  }

  /** The answer is wrapped: who waits here does not wait for the queue as well. */
  async function enter(intent: Intent, by: By): Promise<{ answer: Answer | Promise<Answer> }> {
    const stopsBefore = stops
    const looked = await look(intent)
    if (!looked.ok) return { answer: looked }
    if (stops !== stopsBefore) return { answer: refused(overtaken) }
    return { answer: writer.handle(intent, by, looked.value) }
  }

  async function handleInOrder(intent: Intent, by: By): Promise<Answer> {
    looking += 1
    try {
      return await (
        await waiting.run(() => enter(intent, by))
      ).answer
    } finally {
      looking -= 1
    }
  }

  /** Stop also reaches a prompt whose files are still being looked at. */
  async function stop(intent: Intent, by: By): Promise<Answer> {
    const isEarly = looking > 0
    if (isEarly) stops += 1
    const answer = await writer.handle(intent, by)
    const isNone = !answer.ok && answer.error.code === 'no_turn'
    return isEarly && isNone
      ? ok({ first: null, head: writer.state().head, repeated: false })
      : answer
  }

  return {
    async handle(intent, by) {
      if (inOrder.has(intent.type)) return handleInOrder(intent, by)
      if (intent.type === 'abort') return stop(intent, by)
      const answer = await writer.handle(intent, by)
      // Whoever restarts a shell hears of it when the old one is gone.
      if (intent.type === 'interrupt' && intent.signal === 'restart') await held
      return answer
    },
    hold(work) {
      held = work
      void waiting.run(() => work)
    },
  }
}

/** Private mode is changed by it, or may be: where the output stood then has to be known. */
function mayHide(intent: Intent): boolean {
  if (intent.type === 'update') return intent.private !== undefined
  return intent.type === 'submit' && /^\s*\/private/.test(intent.text)
}

const silent: Refusal = {
  code: 'terminal_busy',
  message: 'The shell does not answer: where private begins or ends cannot be told. Restart it.',
}

const overtaken: Refusal = { code: 'no_turn', message: 'It was stopped before it began.' }
