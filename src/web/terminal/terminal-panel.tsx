import { lazy, Suspense, useState } from 'react'
import type { TerminalPanelProps } from './panel-props.ts'

const Panel = lazy(async () => ({ default: (await import('./panel.tsx')).Panel }))
const Replay = lazy(async () => ({ default: (await import('./replay/replay.tsx')).Replay }))

/**
 * The live terminal of a session, or its recording. It comes as a piece of its own, since the page is
 * read before it is needed. Showing it starts the session's shell. It never takes the focus.
 */
export function TerminalPanel(props: TerminalPanelProps) {
  const [isReplaying, setReplaying] = useState(false)
  return (
    <Suspense fallback={<p className="terminal-opening">Opening the terminal…</p>}>
      {isReplaying ? (
        <Replay key={props.session} {...props} onClose={() => setReplaying(false)} />
      ) : (
        <Panel key={props.session} {...props} onReplay={() => setReplaying(true)} />
      )}
    </Suspense>
  )
}
