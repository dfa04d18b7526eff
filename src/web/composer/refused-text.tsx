import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import type { Pending, Refused } from '../../view/rows/letter.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'

type RefusedLetter = Pending & { state: Refused }

/** A text that the session refused waits in the outbox, with the reason, until somebody has it back. */
export function RefusedText() {
  const { outbox } = usePage()
  const { id, composer, takeBack } = useSession()
  const { text } = useStore(composer)
  /** The last one that came back by itself. */
  const [returned, setReturned] = useState<RefusedLetter | null>(null)
  const refused = useStore(outbox.letters).find(
    (letter): letter is RefusedLetter => letter.session === id && letter.state.phase === 'refused',
  )
  useLayoutEffect(() => {
    // A line that was typed meanwhile is not pushed aside: the person says when this one comes back.
    if (!refused || composer.get().text !== '') return
    takeBack(refused)
    if (composer.get().text !== '') setReturned(refused)
  }, [refused, composer, takeBack])
  useEffect(() => {
    if (returned && text === '') setReturned(null)
  }, [text, returned])
  return (
    <>
      {returned && text.startsWith(returned.text) && (
        <Refusal letter={returned} onDismiss={() => setReturned(null)} />
      )}
      {refused && (
        <Refusal letter={refused} onDismiss={() => outbox.drop(refused.key)}>
          <span className="one-line">{refused.text}</span>
          <LinkButton onClick={() => takeBack(refused)}>Take it back</LinkButton>
        </Refusal>
      )}
    </>
  )
}

interface RefusalProps {
  letter: RefusedLetter
  onDismiss: () => void
  children?: ReactNode
}

function Refusal({ letter, onDismiss, children }: RefusalProps) {
  return (
    <div className="refusal" role="alert">
      <span>{letter.state.message}</span>
      {children}
      <LinkButton onClick={onDismiss}>Dismiss</LinkButton>
    </div>
  )
}
