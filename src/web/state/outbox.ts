import { z } from 'zod'
import { refusalOf, isUnreachable } from '../../client/client-error.ts'
import type { Client } from '../../client/connect.ts'
import { backoff } from '../../client/wait.ts'
import { SubmitAs } from '../../protocol/completion.ts'
import { routes } from '../../protocol/routes.ts'
import { SessionId, type Head } from '../../protocol/seq.ts'
import { createStore, type Store } from './store.ts'

const Letter = z.object({
  /** Tells a repeated sending from a second one, also after a reload. */
  key: z.string(),
  session: SessionId,
  text: z.string(),
  as: SubmitAs,
  at: z.number(),
})
export type Letter = z.infer<typeof Letter>

/** `waiting`: no answer came, it is sent again. `accepted`: it is on disk, its events are under way. */
export type Pending = Letter & {
  state: { phase: 'sending' | 'waiting' } | { phase: 'accepted'; head: Head } | Refused
}
export interface Refused {
  phase: 'refused'
  code: string
  message: string
}

export interface Outbox {
  letters: Store<readonly Pending[]>
  submit(letter: Pick<Letter, 'session' | 'text' | 'as'>): void
  /** The line is back: what waits is tried at once. */
  retry(): void
  /** Seen in the log, or not wanted any more. */
  drop(key: string): void
  /** Sends no more; what it has not sent waits for the next one. */
  close(): void
}

const prefix = 'tandem.outbox.'

/**
 * Nothing typed is lost: each text is kept by the browser until the server has it or has refused it,
 * and sent in order with the same key each time, so that it counts once.
 */
export function createOutbox(client: Client, lock: () => void): Outbox {
  const letters = createStore<readonly Pending[]>(kept())
  const inherited = new Set(letters.get().map(({ key }) => key))
  let isBusy = false
  let isClosed = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function revise(key: string, state: Pending['state']): void {
    letters.set(letters.get().map((each) => (each.key === key ? { ...each, state } : each)))
  }

  async function send(letter: Pending): Promise<void> {
    const { key, session, text, as } = letter
    // The tab that it was written in has sent it, or somebody took it back there.
    if (inherited.has(key) && !isKept(key)) return drop(key)
    try {
      revise(key, { phase: 'sending' })
      const { head } = await client.call(routes.send, {
        params: { id: session },
        body: { text, as, key },
      })
      revise(key, { phase: 'accepted', head })
      forget(key)
      failures = 0
    } catch (error) {
      const refusal = refusalOf(error)
      const isLocked = refusal?.code === 'unauthorized'
      if (isLocked || isUnreachable(error)) {
        letters.set(letters.get().map(waiting))
        // It is sent by whoever comes with a token that counts.
        if (isLocked) lock()
        throw error
      }
      const message = error instanceof Error ? error.message : String(error)
      revise(key, { phase: 'refused', code: refusal?.code ?? 'internal', message })
      forget(key)
    }
  }

  async function work(): Promise<void> {
    if (isBusy || isClosed) return
    isBusy = true
    clearTimeout(timer)
    try {
      for (let next = first(); next; next = first()) await send(next)
    } catch {
      if (!isClosed) timer = setTimeout(retry, backoff((failures += 1)))
    } finally {
      isBusy = false
    }
  }
  const first = () => (isClosed ? undefined : letters.get().find(({ state }) => isUnsent(state)))

  function drop(key: string): void {
    forget(key)
    letters.set(letters.get().filter((each) => each.key !== key))
  }

  const retry = () => void work()
  addEventListener('online', retry)
  retry()
  return {
    letters,
    submit({ session, text, as }) {
      const letter = { key: crypto.randomUUID(), session, text, as, at: Date.now() }
      keep(letter)
      letters.set([...letters.get(), { ...letter, state: { phase: 'sending' } }])
      void work()
    },
    retry,
    drop,
    close() {
      isClosed = true
      clearTimeout(timer)
      removeEventListener('online', retry)
    },
  }
}

/** Whatever comes after one that cannot be sent waits with it: the order stays. */
function waiting(letter: Pending): Pending {
  return isUnsent(letter.state) ? { ...letter, state: { phase: 'waiting' } } : letter
}

function isUnsent({ phase }: Pending['state']): boolean {
  return phase === 'sending' || phase === 'waiting'
}

function keep(letter: Letter): void {
  try {
    localStorage.setItem(prefix + letter.key, JSON.stringify(letter))
  } catch {
    // Without room it still is in this tab.
  }
}

const isKept = (key: string) => localStorage.getItem(prefix + key) !== null

function forget(key: string): void {
  localStorage.removeItem(prefix + key)
}

/** What an earlier page could not send. */
function kept(): Pending[] {
  const found = Object.keys(localStorage)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const letter = Letter.safeParse(parsed(localStorage.getItem(name)))
      return letter.success ? [{ ...letter.data, state: { phase: 'waiting' } as const }] : []
    })
  return found.sort((a, b) => a.at - b.at)
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
