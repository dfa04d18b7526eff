import { showList, terminalInFront } from '../state/panels.ts'
import { goTo, usePage } from '../state/page.ts'
import { useEffect, useState } from 'react'
import type { Event } from '../../protocol/events/event.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { View } from '../../view/fold/view.ts'
import { tabKeep, change } from '../state/settings.ts'
import { refusalOf } from '../../client/wire/client-error.ts'
import { folderName, titleOf } from '../../view/words/who.ts'
import { ChatPane } from '../chat/chat-pane.tsx'
import { Dialogs } from '../dialogs/dialogs.tsx'
import { SessionContext, useOpenSession, useSession } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'
import { useSessionModel } from './use-session-model.ts'
import { Header } from './header.tsx'
import { Panes, TerminalSide } from './panes.tsx'
import { useActions } from './use-actions.ts'
import { Button } from '../parts/buttons.tsx'

/** The session cannot be shown any more: it says why. */
function Gone({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : 'This session was deleted.'
  return (
    <div className="gone" role="alert">
      <h1>This session is closed</h1>
      <p>{message}</p>
      <Button
        onClick={() => {
          goTo(null)
          showList()
        }}
      >
        Other sessions
      </Button>
    </div>
  )
}

/** The terminal shows itself once, when the model first runs something. It does not take the focus. */
function useTerminalOpens(id: SessionId, { state }: View): void {
  const isDriven = state.runs.some((run) => run.source === 'model' && run.lane === 'terminal')
  useEffect(() => {
    if (isDriven) showOnce(id)
  }, [id, isDriven])
}

/** The same for a command that begins and ends before anything is drawn. */
function opensTerminal(id: SessionId, event: Event): void {
  if (event.type === 'run_start' && event.source === 'model' && event.lane === 'terminal')
    showOnce(id)
}

function showOnce(id: SessionId): void {
  const name = `tandem.shown.${id}`
  if (tabKeep.get(name) !== null) return
  change({ terminalOpen: true })
  tabKeep.set(name, 'yes')
}

/** One session: its chat, its terminal, and what can be done with it. */
export function SessionScreen({ id }: { id: SessionId }) {
  const session = useOpenSession(id, opensTerminal)
  if (session === null) return null
  return (
    <SessionContext value={session}>
      <OpenSession />
    </SessionContext>
  )
}

function OpenSession() {
  const { lock } = usePage()
  const session = useSession()
  const { id } = session
  const snapshot = useStore(session.snapshot)
  const { view, link } = snapshot
  const { state } = view
  const title = useSessionTitle(id, view)
  const { model, offered } = useSessionModel(view)
  useTerminalOpens(id, view)
  const [replayedTo, setReplayedTo] = useState<number | null>(null)
  function replay(): void {
    terminalInFront.set(id)
    // Until the recording is there, the chat goes on.
    setReplayedTo(Infinity)
  }
  const actions = useActions(view, replay)

  const refusal = link.phase === 'closed' ? refusalOf(link.error) : null
  useEffect(() => {
    if (refusal?.code === 'unauthorized') lock()
  }, [refusal, lock])
  if (link.phase === 'closed') return <Gone error={link.error} />

  return (
    <>
      <Header title={title} where={state.workspace === '/' ? '' : folderName(state.workspace)} />
      <Panes
        view={view}
        chat={<ChatPane snapshot={snapshot} model={model} offered={offered} until={replayedTo} />}
        terminal={<TerminalSide view={view} replayedTo={replayedTo} onTime={setReplayedTo} />}
        isReplay={replayedTo !== null}
      />
      <Dialogs actions={actions} model={model} team={state.team} />
    </>
  )
}

/** The session's title, also in the browser's tab, with a mark while somebody is asked. */
function useSessionTitle(id: SessionId, { state }: View): string {
  const { sessions } = usePage()
  const summary = useStore(sessions.list)?.find((each) => each.id === id)
  // Until the session itself has come, the list knows it.
  const known = state.head === 0 ? (summary?.title ?? null) : state.title
  const title = titleOf({ title: known, preview: summary?.preview ?? null })
  const mark = state.asks.length > 0 ? '● ' : ''
  useEffect(() => {
    document.title = `${mark}${title} · Tandem`
    return () => {
      document.title = 'Tandem'
    }
  }, [mark, title])
  return title
}
