import type { TestServer } from '../../support/server.ts'

/** Lets many do things with a server that is killed under them. */
export interface ServerLife {
  /** Does it; when the server is killed meanwhile, comes back and does it again. */
  through<T>(comeBack: () => Promise<void>, work: (attempt: number) => Promise<T>): Promise<T>
  /** Ends this life; resolves in the next. */
  kill(): Promise<void>
}

interface Life {
  /** Resolves with the life after it, at its end. */
  over: Promise<{ next: Promise<void> }>
  end(next: Promise<void>): void
}

export function createServerLife(server: TestServer, whileDown: () => Promise<void>): ServerLife {
  let life = begin()

  function begin(): Life {
    let end: Life['end'] = () => {}
    const over = new Promise<{ next: Promise<void> }>((resolve) => {
      end = (next) => resolve({ next })
    })
    return { over, end }
  }

  async function renew(): Promise<void> {
    await server.kill()
    await whileDown()
    await server.restart()
    life = begin()
  }

  return {
    async through(comeBack, work) {
      for (let attempt = 0; ; attempt++) {
        const done = work(attempt).then((value) => ({ value }))
        const first = await Promise.race([done, life.over])
        if ('value' in first) return first.value
        await first.next
        await comeBack()
      }
    },
    kill() {
      const next = renew()
      life.end(next)
      return next
    },
  }
}
