import { useEffect, useMemo } from 'react'
import { isQuiet } from '../../view/status.ts'
import { Composer } from '../composer/composer.tsx'
import { StatusBar } from '../layout/status-bar.tsx'
import { focusAsk } from '../layout/focus-ask.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import type { useFeed } from '../state/use-feed.ts'
import { EmptyState } from './empty-state.tsx'
import { EntryList } from './entry-list.tsx'
import { EntryView } from './entry.tsx'
import { isOpening, onTheWay, rowsOf, rowsUntil } from './rows.ts'
import { useAnnounced } from './use-announced.ts'

interface ChatPaneProps {
  feed: ReturnType<typeof useFeed>
  model: string | null
  stop: () => void
  /** In a replay the chat is as it was then. */
  until: number | null
}

export function ChatPane({ feed, model, stop, until }: ChatPaneProps) {
  const { view, link, older, loadOlder } = feed
  const { outbox } = usePage()
  const { id } = useSession()
  const letters = useStore(outbox.letters)
  const { head } = view.state
  const pending = useMemo(() => onTheWay(letters, { session: id, head }), [letters, id, head])
  const all = useMemo(() => rowsOf(view.entries, pending), [view.entries, pending])
  const rows = useMemo(() => rowsUntil(all, until), [all, until])
  useEffect(() => {
    for (const { key, session, state } of letters)
      if (session === id && state.phase === 'accepted' && state.head <= head) outbox.drop(key)
  }, [letters, id, head, outbox])

  useAnnounced(view)

  const isEmpty = link.phase === 'live' && all.every(isOpening)
  return (
    <main className="chat" aria-label="Chat and composer">
      {isEmpty ? (
        <EmptyState workspace={view.state.workspace} isDemo={model?.startsWith('demo/') ?? false}>
          {all.map((row) => 'entry' in row && <EntryView key={row.key} entry={row.entry} />)}
        </EmptyState>
      ) : (
        <EntryList rows={rows} older={older} onOlder={loadOlder} />
      )}
      <Composer state={view.state} stop={isQuiet(view) ? null : stop} />
      <StatusBar view={view} link={link} model={model} onAsk={focusAsk} />
    </main>
  )
}
