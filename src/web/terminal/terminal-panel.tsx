import { lazy, Suspense } from 'react'
import type { TerminalPanelProps } from './panel-props.ts'

const Panel = lazy(async () => ({ default: (await import('./panel.tsx')).Panel }))

/**
 * The live terminal of a session. It comes as a piece of its own, since the page is read before it
 * is needed. Showing it starts the session's shell. It never takes the focus.
 */
export function TerminalPanel(props: TerminalPanelProps) {
  return (
    <Suspense fallback={<p className="terminal-opening">Opening the terminal…</p>}>
      <Panel key={props.session} {...props} />
    </Suspense>
  )
}
