import type { TestServer } from '../../support/server.ts'

/** Lets many do things with a server that is killed under them. */
export interface ServerLife {
  /** Does it; when the server is killed meanwhile, comes back and does it again in the next life. */
  through<T>(comeBack: () => Promise<void>, work: (life: Life) => Promise<T>): Promise<T>
  /** Ends the present life; resolves in the next. */
  kill(): Promise<void>
}

/** One of the server's lives, for those who do something in it. */
export interface Life {
  /** A kill waits for its end. When one is wanted already, or this life is over, it never begins. */
  undisturbed(work: () => Promise<void>): Promise<void>
}

interface OwnedLife extends Life {
  /** Resolves at its end with what leads to the next. */
  over: Promise<{ next: Promise<void> }>
  /** Resolves when nothing holds a kill up any more. */
  doom(): Promise<unknown>
  end(next: Promise<void>): void
}

export function createServerLife(server: TestServer, whileDown: () => Promise<void>): ServerLife {
  let life = begin()

  async function renew(): Promise<void> {
    await server.kill()
    await whileDown()
    await server.restart()
    life = begin()
  }

  return {
    async through(comeBack, work) {
      for (;;) {
        const done = work(life).then((value) => ({ value }))
        const first = await Promise.race([done, life.over])
        if ('value' in first) return first.value
        await first.next
        await comeBack()
      }
    },
    async kill() {
      await life.doom()
      const next = renew()
      life.end(next)
      await next
    },
  }
}

function begin(): OwnedLife {
  const pending = new Set<Promise<void>>()
  let isDoomed = false
  let end: OwnedLife['end'] = () => {}
  const over = new Promise<{ next: Promise<void> }>((resolve) => {
    end = (next) => resolve({ next })
  })
  return {
    over,
    end,
    doom() {
      isDoomed = true
      return Promise.all(pending)
    },
    async undisturbed(work) {
      if (isDoomed) return new Promise(() => {})
      const done = work()
      pending.add(done)
      await done.finally(() => pending.delete(done))
    },
  }
}
