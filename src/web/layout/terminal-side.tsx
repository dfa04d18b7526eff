import { lazy, Suspense } from 'react'
import type { At } from '../../protocol/events/seq.ts'
import type { View } from '../../view/fold/view.ts'
import { Boundary, Broken } from '../parts/boundary.tsx'

// Pieces of their own, since the page is read before they are needed.
const Panel = lazy(async () => ({ default: (await import('../terminal/panel.tsx')).Panel }))
const Replay = lazy(async () => ({
  default: (await import('../terminal/replay/replay-screen.tsx')).ReplayScreen,
}))

interface TerminalSideProps {
  view: View
  /** How far the recording was watched; null: the terminal is live. */
  replayedTo: At | null
  onTime: (at: At | null) => void
}

/** The session's terminal, or its recording. Showing the terminal starts the shell; it never takes the focus. */
export function TerminalSide({ view, replayedTo, onTime }: TerminalSideProps) {
  const what = replayedTo === null ? 'terminal' : 'recording'
  return (
    <Boundary fallback={<Broken what="The terminal" />}>
      <Suspense key={what} fallback={<p className="terminal-opening">{`Opening the ${what}…`}</p>}>
        {replayedTo === null ? <Panel view={view} /> : <Replay view={view} onTime={onTime} />}
      </Suspense>
    </Boundary>
  )
}
