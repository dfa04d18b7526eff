import type { Ask } from '../../view/entry.ts'
import { whoOf } from './who.ts'

/** How a question was answered, and by whom; nothing while it is open. */
export function AskAnswer({ ask }: { ask: Ask }) {
  const { state } = ask
  if (state.phase !== 'answered') return null
  if (state.moved)
    return (
      <p className="ask-answer">
        The shell has changed since this was judged, so it is asked again.
      </p>
    )
  if (state.outcome === 'void') return <p className="ask-answer">The question was taken back.</p>
  const verb = state.outcome === 'allow' ? 'Allowed' : 'Denied'
  return (
    <p className={`ask-answer is-${state.outcome}`}>
      {verb} by {whoOf(state.by)}
      {state.word !== null && <>: “{state.word}”</>}
    </p>
  )
}
