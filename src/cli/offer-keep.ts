import { refusalOf } from '../client/client-error.ts'
import type { Client } from '../client/connect.ts'
import type { ToolUpdate } from '../protocol/delta.ts'
import { routes } from '../protocol/routes.ts'
import type { SessionId } from '../protocol/seq.ts'
import { type Io, isInteractive } from './io.ts'
import { question } from './question.ts'

/** Says when a silent command is about to be stopped, and lets a person at a terminal keep it. */
export interface KeepOffer {
  update(update: ToolUpdate): void
  close(): void
}

export function createKeepOffer(io: Io, client: Client, session: SessionId): KeepOffer {
  let offered = new AbortController()

  async function offer(warning: string, { signal }: AbortController): Promise<void> {
    const said = await question(`${warning} Press Enter to keep it running: `, signal)
    if (said === null || signal.aborted) return
    await client.call(routes.keep, { params: { id: session }, body: {} })
  }

  return {
    update({ status, endsInMs = 0 }) {
      if (status === undefined) return
      offered.abort()
      if (status !== 'ending') return
      const warning = `tandem: nothing is printed; it will be stopped in ${Math.ceil(endsInMs / 1_000)} s.`
      if (!isInteractive(io)) return io.note(warning)
      offered = new AbortController()
      offer(warning, offered).catch((error: unknown) => {
        // It ended by itself meanwhile.
        if (!refusalOf(error)) io.note('tandem: it could not be kept running.')
      })
    },
    close: () => offered.abort(),
  }
}
