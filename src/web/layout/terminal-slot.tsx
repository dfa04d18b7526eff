import type { View } from '../../view/view.ts'
import { focusComposer } from '../state/composer-state.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { theme } from '../state/theme.ts'
import { TerminalPanel } from '../terminal/terminal-panel.tsx'

/** The session's terminal, in the theme of the page. */
export function TerminalSlot({ view }: { view: View }) {
  const { socket } = usePage()
  const session = useSession()
  return (
    <TerminalPanel
      session={session.id}
      socket={socket}
      actions={session}
      view={view}
      theme={useStore(theme)}
      onLeave={focusComposer}
    />
  )
}
