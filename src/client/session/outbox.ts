import { z } from 'zod'
import { SubmitAs } from '../../protocol/http/intent.ts'
import { routes } from '../../protocol/http/routes.ts'
import { SessionId } from '../../protocol/events/seq.ts'
import { mayBeSecret, type Letter, type Pending } from '../../view/rows/letter.ts'
import { readJson, type Keep } from '../keep.ts'
import { createStore, type Store } from '../store.ts'
import type { Call } from '../wire/call.ts'
import { isLockedOut, isUnreachable, refusalOf } from '../wire/client-error.ts'
import { backoff } from '../wire/wait.ts'

const StoredLetter = z.object({
  key: z.string(),
  session: SessionId,
  text: z.string(),
  as: SubmitAs,
  at: z.number(),
  after: z.number().catch(Number.MAX_SAFE_INTEGER),
  notSecret: z.boolean().optional(),
  /** The session said no; it waits for whoever opens that session. */
  refused: z.object({ code: z.string(), message: z.string() }).optional(),
})

export interface Outbox {
  letters: Store<readonly Pending[]>
  /**
   * `after` is the head of the log as it is shown now. One that is `exposed` was written while a program could have
   * asked for a secret: it is kept only when the server cannot be reached.
   */
  submit(
    letter: Pick<Letter, 'session' | 'text' | 'as' | 'after' | 'notSecret'>,
    options?: { exposed?: boolean },
  ): void
  /** The line is back: what waits is tried at once. */
  retry(): void
  /** Seen in the log, or not wanted any more. */
  drop(key: string): void
  /** A refused text, for the composer that takes it back; false when another client has it already. */
  takeBack(key: string): boolean
  /** Another client has changed what is kept under a name: a text that it sent or took back is not sent from here. */
  changedElsewhere(name: string): void
  /** Sends no more; what it has not sent waits for the next one. */
  close(): void
}

export interface OutboxDeps {
  call: Call
  keep: Keep
  newKey: () => string
  now: () => number
  /** The server no longer takes our token. */
  onLocked: () => void
  deadlineMs?: number
}

/** A server that takes longer to write a line down hangs, or the line to it does: it is sent again, under the same key. */
const deadlineMs = 15_000

const prefix = 'tandem.outbox.'

/**
 * Nothing typed is lost: each text is kept until the server has it or a composer has it back, and sent
 * in the order of its session with the same key each time, so that it counts once.
 */
export function createOutbox(deps: OutboxDeps): Outbox {
  const shelf = createShelf(deps.keep)
  const { letters } = shelf
  /** Senders of the texts of each session; calling one that is at it already changes nothing. */
  const queues = new Map<SessionId, () => void>()
  const closing = new AbortController()
  /** Ends the sending of a text that is no longer wanted. */
  const unwanted = new Map<string, AbortController>()

  function drop(key: string): void {
    unwanted.get(key)?.abort()
    shelf.drop(key)
  }

  async function send(letter: Pending): Promise<void> {
    const { key, session, text, as, notSecret } = letter
    if (shelf.isElsewhere(key)) return shelf.drop(key)
    shelf.revise(key, { phase: 'sending' })
    const taken = new AbortController()
    unwanted.set(key, taken)
    const late = AbortSignal.timeout(deps.deadlineMs ?? deadlineMs)
    try {
      const input = {
        params: { id: session },
        body: { text, as, key, ...(notSecret && { notSecret }) },
        signal: AbortSignal.any([late, taken.signal]),
      }
      const { head } = await deps.call(routes.send, input)
      shelf.revise(key, { phase: 'accepted', head })
      shelf.forget(key)
    } catch (error) {
      if (taken.signal.aborted) return
      const isLocked = isLockedOut(error)
      const isUnheard = isUnreachable(error) || late.aborted
      if (!isLocked && !isUnheard) return shelf.refuse(letter, error, deps.now())
      shelf.wait(session)
      // It is sent by whoever comes with a token that counts.
      if (isLocked) deps.onLocked()
      throw error
    } finally {
      unwanted.delete(key)
    }
  }

  function queueOf(session: SessionId): () => void {
    const known = queues.get(session)
    if (known) return known
    const next = () =>
      letters.get().find((each) => each.session === session && isUnsent(each.state))
    const made = createQueue(next, send, closing.signal)
    queues.set(session, made)
    return made
  }

  function retry(): void {
    const sessions = letters.get().flatMap(({ session, state }) => (isUnsent(state) ? session : []))
    for (const session of new Set(sessions)) queueOf(session)()
  }

  retry()
  return {
    letters,
    submit(written, { exposed = false } = {}) {
      shelf.add({ key: deps.newKey(), ...written, at: deps.now() }, exposed)
      queueOf(written.session)()
    },
    retry,
    drop,
    takeBack(key) {
      const isOurs = !shelf.isElsewhere(key)
      drop(key)
      return isOurs
    },
    changedElsewhere(name) {
      const letter = letters.get().find(({ key }) => prefix + key === name)
      if (letter && letter.state.phase !== 'accepted' && !shelf.isKept(letter.key)) drop(letter.key)
    },
    close: () => closing.abort(),
  }
}

/** The letters that are shown, and the same ones as they are kept. */
function createShelf(keep: Keep) {
  const letters = createStore<readonly Pending[]>(storedLetters(keep))
  /** Letters that are not kept yet. */
  const exposed = new Set<string>()
  const inherited = new Set(letters.get().map(({ key }) => key))
  const isKept = (key: string) => keep.get(prefix + key) !== null
  const put = (letter: z.infer<typeof StoredLetter>) =>
    keep.set(prefix + letter.key, JSON.stringify(letter))
  const forget = (key: string) => {
    exposed.delete(key)
    keep.set(prefix + key, null)
  }
  const change = (revised: (letter: Pending) => Pending) => letters.set(letters.get().map(revised))
  const revise = (key: string, state: Pending['state']) =>
    change((each) => (each.key === key ? { ...each, state } : each))

  return {
    letters,
    isKept,
    forget,
    revise,
    /** The client that it was written in has sent it, or somebody took it back there. */
    isElsewhere: (key: string) => inherited.has(key) && !isKept(key),
    add(letter: Letter, isExposed: boolean): void {
      if (isExposed) exposed.add(letter.key)
      else put(letter)
      letters.set([...letters.get(), { ...letter, state: { phase: 'sending' } }])
    },
    drop(key: string): void {
      forget(key)
      letters.set(letters.get().filter((each) => each.key !== key))
    },
    /** Texts after one that cannot be sent wait with it: the order stays. */
    wait(session: SessionId): void {
      for (const { state: _, ...letter } of letters.get())
        if (letter.session === session && exposed.delete(letter.key)) put(letter)
      change((each) =>
        each.session === session && isUnsent(each.state)
          ? { ...each, state: { phase: 'waiting' } }
          : each,
      )
    },
    /** It is kept until a composer has it back: its session may not be open. */
    refuse({ key, session, text, as, at, after }: Pending, error: unknown, now: number): void {
      const message = error instanceof Error ? error.message : String(error)
      const refused = { code: refusalOf(error)?.code ?? 'internal', message }
      const isWanted = isKept(key) || exposed.has(key)
      if (mayBeSecret({ text, at }, { ...refused, now })) forget(key)
      else if (isWanted) put({ key, session, text, as, at, after, refused })
      revise(key, { phase: 'refused', ...refused })
    },
  }
}

/** One text after the other; a pause after each that did not get through. */
function createQueue(
  next: () => Pending | undefined,
  send: (letter: Pending) => Promise<void>,
  closed: AbortSignal,
): () => void {
  let isBusy = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  closed.addEventListener('abort', () => clearTimeout(timer))

  async function run(): Promise<void> {
    clearTimeout(timer)
    try {
      for (let letter = next(); letter && !closed.aborted; letter = next()) await send(letter)
      failures = 0
    } catch {
      if (!closed.aborted) timer = setTimeout(work, backoff((failures += 1)))
    } finally {
      isBusy = false
    }
  }

  function work(): void {
    if (isBusy || closed.aborted) return
    isBusy = true
    void run()
  }
  return work
}

function isUnsent({ phase }: Pending['state']): boolean {
  return phase === 'sending' || phase === 'waiting'
}

/** The letters that an earlier client could not send, or did not hand back. */
function storedLetters(keep: Keep): Pending[] {
  const found = keep.names(prefix).flatMap((name): Pending[] => {
    const stored = StoredLetter.safeParse(readJson(keep, name))
    if (!stored.success) return []
    const { refused, ...letter } = stored.data
    return [{ ...letter, state: refused ? { phase: 'refused', ...refused } : { phase: 'waiting' } }]
  })
  return found.sort((a, b) => a.at - b.at)
}
