import { lazy, Suspense } from 'react'
import type { ReplayProps } from './replay-props.ts'

const Screen = lazy(async () => ({ default: (await import('./replay-screen.tsx')).ReplayScreen }))

/** The recording of a session's terminal, to be scrubbed through beside its chat. */
export function Replay(props: ReplayProps) {
  return (
    <Suspense fallback={<p className="terminal-opening">Opening the recording…</p>}>
      <Screen key={props.session} {...props} />
    </Suspense>
  )
}
