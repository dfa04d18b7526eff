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
  /** Of another session of the same team. */
  folderOf(session: SessionId): string
}

/**
 * Takes a session over from a server that is gone: its cut reply is closed with the text that had
 * come, its shell is found again or reported lost. Runs stay open for the holder to tell about.
 */
export async function recover(deps: RecoverDeps): Promise<void> {
  const { id, store, terminal, writer } = deps
  if (hasOpen(writer.state()))
    await writer.report({ type: 'recovered', draft: await store.draft(id) })
  const { shell } = writer.state()
  // One that started when the server died, before the log knew of it, has run nothing.
  if (shell.phase !== 'live') {
    if (shell.phase === 'gone' && shell.movedTo !== undefined) terminal.showMoved()
    return terminal.close()
  }
  const { taken } = shell
  const from = taken && { folder: deps.folderOf(taken.session), generation: taken.generation }
  if (await terminal.attach(shell.generation, from)) return
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
