import { useCallback, useEffect, useMemo, useState } from 'react'
import { refusalOf } from '../../client/client-error.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { ChatPane } from '../chat/chat-pane.tsx'
import { Dialogs } from '../dialogs/dialogs.tsx'
import { folderName } from '../sessions/title-of.ts'
import { usePage } from '../state/page.ts'
import { createSessionActions, SessionContext } from '../state/session.ts'
import { useFeed } from '../state/use-feed.ts'
import { Boundary, Broken } from './boundary.tsx'
import { ClearButton } from './clear-button.tsx'
import { Gone } from './gone.tsx'
import { Header } from './header.tsx'
import { Panes } from './panes.tsx'
import { ReplaySlot } from './replay-slot.tsx'
import { TerminalSlot } from './terminal-slot.tsx'
import { useActions } from './use-actions.ts'
import { useSessionTitle } from './use-session-title.ts'
import { useTerminalOpens } from './use-terminal-opens.ts'

interface SessionScreenProps {
  id: SessionId
  isNarrow: boolean
  onList: () => void
}

/** One session: its chat, its terminal, and what can be done with it. */
export function SessionScreen(props: SessionScreenProps) {
  const { client } = usePage()
  const actions = useMemo(() => createSessionActions(client, props.id), [client, props.id])
  return (
    <SessionContext value={actions}>
      <OpenSession {...props} actions={actions} />
    </SessionContext>
  )
}

type OpenSessionProps = SessionScreenProps & { actions: ReturnType<typeof createSessionActions> }

function OpenSession({ id, isNarrow, onList, actions }: OpenSessionProps) {
  const { outbox, lock } = usePage()
  const feed = useFeed(id)
  const { view, link } = feed
  const { state } = view
  const title = useSessionTitle(id, view)
  useTerminalOpens(id, view)
  const isTurn = state.turn !== null
  const stop = useCallback(() => {
    void (isTurn ? actions.abort() : actions.interrupt('int'))
  }, [actions, isTurn])
  const [replayedTo, setReplayedTo] = useState<number | null>(null)
  const replay = useCallback(() => setReplayedTo(Date.now()), [])
  const shortcuts = useActions(actions, { stop, replay })

  const isLive = link.phase === 'live'
  useEffect(() => {
    if (isLive) outbox.retry()
  }, [isLive, outbox])
  const refusal = link.phase === 'closed' ? refusalOf(link.error) : null
  useEffect(() => {
    if (refusal?.code === 'unauthorized') lock()
  }, [refusal, lock])
  if (link.phase === 'closed') return <Gone error={link.error} onList={onList} />

  return (
    <>
      <Header
        title={title}
        where={state.workspace === '/' ? '' : folderName(state.workspace)}
        isNarrow={isNarrow}
        onList={onList}
      >
        <ClearButton />
      </Header>
      <Panes
        view={view}
        isNarrow={isNarrow}
        chat={<ChatPane feed={feed} stop={stop} until={replayedTo} />}
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
      <Dialogs actions={shortcuts} model={state.epoch?.model ?? state.model} team={state.team} />
    </>
  )
}
