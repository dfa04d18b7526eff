import { isRun } from '../../view/composer/input-kind.ts'
import { type ReactNode, useMemo, useEffect, useRef } from 'react'
import { Mark } from '../parts/boundary.tsx'
import { useSession } from '../state/session.ts'
import type { Snapshot } from '../../client/session/feed.ts'
import { isOpening, onTheWay, rowsOf, rowsUntil } from '../../view/rows/rows.ts'
import { isQuiet, statusOf } from '../../view/status.ts'
import { here } from '../access/open-client.ts'
import { Composer } from '../composer/composer.tsx'
import { ModelOffer } from '../layout/model-offer.tsx'
import { StatusBar } from '../layout/status-bar.tsx'
import { LinkButton } from '../parts/buttons.tsx'
import { dialog } from '../state/panels.ts'
import { usePage } from '../state/page.ts'
import { useStore } from '../state/use-store.ts'
import { EntryList } from './entry-list.tsx'
import { EntryView } from './entry.tsx'
import type { View } from '../../view/fold/view.ts'
import { announce } from '../state/toasts.ts'

const examples = [
  { text: 'list the files', about: 'the model runs ls in the shell you share' },
  { text: '!git status', about: 'you run a command; the model reads along' },
  { text: '!false', about: 'let something fail, then ask “what failed?”' },
  { text: 'clean up', about: 'the model proposes to delete, and you are asked first' },
] as const

interface EmptyStateProps {
  workspace: string
  isDemo: boolean
  /** The line that says where the session begins. */
  children: ReactNode
}

/** Examples to begin with, each one press away and all of it without a network. */
function EmptyState({ workspace, isDemo, children }: EmptyStateProps) {
  const { submit } = useSession()
  return (
    <div className="empty">
      <Mark size={44} />
      <h2>One shell, two drivers</h2>
      <p className="empty-where">
        in <bdi>{workspace}</bdi>
      </p>
      {children}
      <ul>
        {examples.map(({ text, about }) => (
          <li key={text}>
            <button type="button" onClick={() => submit(text)}>
              <code className={isRun(text, 'auto') ? 'is-bash' : 'is-chat'}>{text}</code>
              <span>{about}</span>
            </button>
          </li>
        ))}
      </ul>
      {isDemo && (
        <p className="empty-note">
          This is the built-in demo, not a language model.{' '}
          <LinkButton onClick={() => dialog.set('add-model')}>Add a model</LinkButton> to talk to a
          real one.
        </p>
      )}
    </div>
  )
}

interface ChatPaneProps {
  snapshot: Snapshot
  model: string | null
  /** A model that has appeared since the session began with the demo. */
  offered: string | null
  /** In a replay the chat is as it was then. */
  until: number | null
}

export function ChatPane({ snapshot, model, offered, until }: ChatPaneProps) {
  const { view, link, older } = snapshot
  const { entries, state } = view
  const { outbox } = usePage()
  const { id } = useSession()
  const letters = useStore(outbox.letters)
  const pending = useMemo(
    () => onTheWay(letters, { session: id, head: state.head, entries, here }),
    [letters, id, state.head, entries],
  )
  const all = useMemo(() => rowsOf(entries, pending), [entries, pending])
  const rows = useMemo(() => rowsUntil(all, until), [all, until])
  useAnnounced(view)

  const isEmpty = link.phase === 'live' && older === 'none' && all.every(isOpening)
  return (
    <main className="chat" aria-label="Chat and composer">
      {isEmpty ? (
        <EmptyState workspace={state.workspace} isDemo={model?.startsWith('demo/') ?? false}>
          {all.map((row) => 'entry' in row && <EntryView key={row.key} entry={row.entry} />)}
        </EmptyState>
      ) : (
        <EntryList rows={rows} older={older} />
      )}
      {offered !== null && <ModelOffer model={offered} />}
      <Composer state={state} isBusy={!isQuiet(view)} />
      <StatusBar view={view} link={link} model={model} />
    </main>
  )
}

/** Tells a screen reader that something asks, and the end of a turn that one was there for. */
function useAnnounced(view: View): void {
  const isAsking = statusOf(view).status === 'asking'
  useEffect(() => {
    if (isAsking) announce('The model asks for your approval')
  }, [isAsking])

  const isTurn = view.state.turn !== null
  const wasTurn = useRef(false)
  useEffect(() => {
    const hasFailed = view.lastTurn?.reason === 'failed'
    if (wasTurn.current && !isTurn)
      announce(hasFailed ? 'The turn has ended: the model failed' : 'The turn has ended')
    wasTurn.current = isTurn
  }, [isTurn, view.lastTurn])
}
