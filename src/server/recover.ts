import type { SessionId } from '../protocol/seq.ts'
import type { SessionState } from '../log/state.ts'
import type { EventStore } from './store/store.ts'
import type { Terminal } from './terminal/terminal.ts'
import type { Writer } from './writer.ts'

export interface RecoverDeps {
  id: SessionId
  store: EventStore
  terminal: Terminal
  writer: Writer
}

/**
 * Takes a session over from a server that is gone: its cut reply is closed with the text that had
 * come, its shell is found again or reported lost. Runs stay open for the holder to tell about.
 */
export async function recover({ id, store, terminal, writer }: RecoverDeps): Promise<void> {
  if (hasOpen(writer.state()))
    await writer.report({ type: 'recovered', draft: await store.draft(id) })
  const { shell } = writer.state()
  // One that started when the server died, before the log knew of it, has run nothing.
  if (shell.phase !== 'live') return terminal.close()
  if (await terminal.attach(shell.generation)) return
  await writer.report({
    type: 'shell-ended',
    generation: shell.generation,
    reason: 'lost',
    exitCode: null,
    signal: null,
  })
}

function hasOpen({ turn, step, calls, runs }: SessionState): boolean {
  return turn !== null || step !== null || calls.length > 0 || runs.length > 0
}
