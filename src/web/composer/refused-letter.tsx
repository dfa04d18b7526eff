import { useEffect, useState } from 'react'
import type { SubmitAs } from '../../protocol/completion.ts'
import type { ComposerState } from '../state/composer-state.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'

interface Problem {
  message: string
  text: string
  /** What it was meant as, so that it comes back as that: a paste never as a command. */
  as: SubmitAs
}

/** A text that the session refused comes back, with the reason. */
export function RefusedLetter({ composer }: { composer: ComposerState }) {
  const { outbox } = usePage()
  const { id } = useSession()
  const text = useStore(composer.text)
  const [problem, setProblem] = useState<Problem | null>(null)
  const refused = useStore(outbox.letters).find(
    ({ session, state }) => session === id && state.phase === 'refused',
  )
  useEffect(() => {
    if (!refused || refused.state.phase !== 'refused') return
    const { key, text: given, as } = refused
    setProblem({ message: refused.state.message, text: given, as })
    outbox.drop(key)
    // Whatever was typed meanwhile is not pushed aside.
    if (composer.text.get() === '') composer.put(given, as)
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
          onClick={() => composer.put([problem.text, text].filter(Boolean).join('\n'), problem.as)}
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
