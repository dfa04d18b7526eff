import { useEffect, useMemo, useState } from 'react'
import { refusalOf } from '../../client/client-error.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { ChatPane } from '../chat/chat-pane.tsx'
import { Dialogs } from '../dialogs/dialogs.tsx'
import { folderName } from '../sessions/title-of.ts'
import { useListFollows } from '../sessions/use-list-follows.ts'
import { usePage } from '../state/page.ts'
import { terminalInFront } from '../state/panels.ts'
import { createSessionActions, SessionContext, useSession } from '../state/session.ts'
import { useFeed } from '../state/use-feed.ts'
import { Boundary, Broken } from './boundary.tsx'
import { ClearButton } from './clear-button.tsx'
import { Gone } from './gone.tsx'
import { Header } from './header.tsx'
import { Panes } from './panes.tsx'
import { ReplaySlot } from './replay-slot.tsx'
import { TerminalSlot } from './terminal-slot.tsx'
import { useActions } from './use-actions.ts'
import { useCurrentModel } from './use-current-model.ts'
import { useSessionTitle } from './use-session-title.ts'
import { opensTerminal, useTerminalOpens } from './use-terminal-opens.ts'

interface SessionScreenProps {
  id: SessionId
  isNarrow: boolean
}

/** One session: its chat, its terminal, and what can be done with it. */
export function SessionScreen({ id, isNarrow }: SessionScreenProps) {
  const { client } = usePage()
  const actions = useMemo(() => createSessionActions(client, id), [client, id])
  return (
    <SessionContext value={actions}>
      <OpenSession isNarrow={isNarrow} />
    </SessionContext>
  )
}

function OpenSession({ isNarrow }: { isNarrow: boolean }) {
  const { outbox, lock } = usePage()
  const { id, abort, interrupt } = useSession()
  const feed = useFeed(id, (event) => opensTerminal(id, event))
  const { view, link } = feed
  const { state } = view
  const isLive = link.phase === 'live'
  const title = useSessionTitle(id, view)
  const model = useCurrentModel(view)
  useTerminalOpens(id, view)
  useListFollows({ id, view, isLive })
  const stop = () => void (state.turn === null ? interrupt('int') : abort())
  const [replayedTo, setReplayedTo] = useState<number | null>(null)
  function replay(): void {
    terminalInFront.set(id)
    setReplayedTo(Date.now())
  }
  const actions = useActions(view, { stop, replay })

  useEffect(() => {
    if (isLive) outbox.retry()
  }, [isLive, outbox])
  const refusal = link.phase === 'closed' ? refusalOf(link.error) : null
  useEffect(() => {
    if (refusal?.code === 'unauthorized') lock()
  }, [refusal, lock])
  if (link.phase === 'closed') return <Gone error={link.error} />

  return (
    <>
      <Header
        title={title}
        where={state.workspace === '/' ? '' : folderName(state.workspace)}
        isNarrow={isNarrow}
      >
        <ClearButton />
      </Header>
      <Panes
        view={view}
        isNarrow={isNarrow}
        chat={<ChatPane feed={feed} model={model} stop={stop} until={replayedTo} />}
        terminal={
          <Boundary fallback={<Broken what="The terminal" />}>
            {replayedTo === null ? (
              <TerminalSlot view={view} />
            ) : (
              <ReplaySlot view={view} onTime={setReplayedTo} onClose={() => setReplayedTo(null)} />
            )}
          </Boundary>
        }
        isReplay={replayedTo !== null}
      />
      <Dialogs actions={actions} model={model} team={state.team} />
    </>
  )
}
