import { useEffect, useState } from 'react'
import type { ComposerState } from '../state/composer-state.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'

/** A text that the session refused comes back, with the reason. */
export function RefusedLetter({ composer }: { composer: ComposerState }) {
  const { outbox } = usePage()
  const { id } = useSession()
  const text = useStore(composer.text)
  const [problem, setProblem] = useState<{ message: string; text: string } | null>(null)
  const refused = useStore(outbox.letters).find(
    ({ session, state }) => session === id && state.phase === 'refused',
  )
  useEffect(() => {
    if (!refused || refused.state.phase !== 'refused') return
    setProblem({ message: refused.state.message, text: refused.text })
    outbox.drop(refused.key)
    // Whatever was typed meanwhile is not pushed aside.
    if (composer.text.get() === '') composer.put(refused.text)
  }, [refused, outbox, composer])
  useEffect(() => {
    if (problem && text === '') setProblem(null)
  }, [text, problem])
  if (!problem) return null
  const isBack = text.startsWith(problem.text)
  return (
    <div className="refusal" role="alert">
      <span>{problem.message}</span>
      {!isBack && (
        <button
          className="link-button"
          type="button"
          onClick={() => composer.put([problem.text, text].filter(Boolean).join('\n'))}
        >
          Take it back
        </button>
      )}
      <button className="link-button" type="button" onClick={() => setProblem(null)}>
        Dismiss
      </button>
    </div>
  )
}
