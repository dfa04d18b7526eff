import { useCallback, useEffect, useRef, useState } from 'react'
import { typedPrompt } from '../../base/text.ts'
import type { InputQueued } from '../../protocol/events/queue.ts'
import { EditLine } from '../parts/edit-line.tsx'
import { focusComposer } from '../parts/focus.ts'
import type { Composer } from '../../client/session/composer.ts'
import { useSession } from '../state/session.ts'
import { LinkButton } from '../parts/buttons.tsx'

/** Prompts from while the model is at work: they wait here, and can be changed until they are taken. */
export function QueueRows({ queue }: { queue: readonly InputQueued[] }) {
  if (queue.length === 0) return null
  return (
    <ul className="queue" aria-label="Waiting for the model">
      {queue.map((input) => (
        <QueueRow key={input.seq} input={input} />
      ))}
    </ul>
  )
}

function QueueRow({ input }: { input: InputQueued }) {
  const { editQueued, withdraw, composer } = useSession()
  /** The text that its change begins with; null while nobody changes it. */
  const [edited, setEdited] = useState<string | null>(null)
  const unsaved = useUnsaved(composer)
  const editButton = useRef<HTMLButtonElement>(null)
  if (edited === null)
    return (
      <li>
        <span className="one-line">{input.text}</span>
        <LinkButton ref={editButton} onClick={() => setEdited(input.text)}>
          Edit
        </LinkButton>
        <LinkButton
          onClick={() => {
            // The row goes, and the hand goes on writing.
            focusComposer()
            void withdraw(input.seq)
          }}
        >
          Withdraw
        </LinkButton>
      </li>
    )

  function end(): void {
    unsaved.set(null)
    setEdited(null)
  }

  function leave(): void {
    end()
    // Once it is drawn: the line that had the focus is gone then.
    requestAnimationFrame(() => editButton.current?.focus())
  }

  async function save(text: string): Promise<void> {
    end()
    // A changed input is another row; the hand goes on writing.
    focusComposer()
    if (await editQueued(input.seq, text)) return
    // It may be a secret, which is kept nowhere: it stays here as long as there is a place for it.
    unsaved.set(text)
    setEdited(text)
  }
  return (
    <li>
      <EditLine
        label="Change what waits"
        initial={edited}
        action="Save"
        onText={unsaved.set}
        onDone={(text) => void save(text)}
        onCancel={leave}
      />
    </li>
  )
}

/** The model may take an input while somebody changes it: what they wrote is then theirs to send. */
function useUnsaved({ dispatch }: Composer) {
  const unsaved = useRef<string | null>(null)
  const isGone = useRef(false)
  const handBack = useCallback(() => {
    if (isGone.current && unsaved.current !== null)
      dispatch({ type: 'handed-back', text: typedPrompt(unsaved.current), as: 'auto' })
  }, [dispatch])
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      handBack()
    }
  }, [handBack])
  return {
    set(text: string | null): void {
      unsaved.current = text
      handBack()
    },
  }
}
