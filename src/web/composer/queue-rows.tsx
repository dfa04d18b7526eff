import { useEffect, useRef, useState } from 'react'
import type { InputQueued } from '../../protocol/queue.ts'
import { AskEdit } from '../chat/ask-edit.tsx'
import type { ComposerState } from '../state/composer-state.ts'
import { useSession } from '../state/session.ts'

interface QueueRowsProps {
  queue: readonly InputQueued[]
  composer: ComposerState
}

/** What was said while the model is at work: it waits here, and can be changed until it is taken. */
export function QueueRows({ queue, composer }: QueueRowsProps) {
  if (queue.length === 0) return null
  return (
    <ul className="queue" aria-label="Waiting for the model">
      {queue.map((input) => (
        <QueueRow key={input.seq} input={input} composer={composer} />
      ))}
    </ul>
  )
}

function QueueRow({ input, composer }: { input: InputQueued; composer: ComposerState }) {
  const { editQueued, withdraw } = useSession()
  const [isEdited, setEdited] = useState(false)
  const unsaved = useUnsaved(composer)
  if (!isEdited)
    return (
      <li>
        <span className="one-line">{input.text}</span>
        <button className="link-button" type="button" onClick={() => setEdited(true)}>
          Edit
        </button>
        <button className="link-button" type="button" onClick={() => void withdraw(input.seq)}>
          Withdraw
        </button>
      </li>
    )

  function end(): void {
    unsaved.current = null
    setEdited(false)
  }
  return (
    <li>
      <AskEdit
        label="Change what waits"
        initial={input.text}
        action="Save"
        onText={(text) => {
          unsaved.current = text
        }}
        onDone={(text) => {
          end()
          void editQueued(input.seq, text).then((isDone) => isDone || handBack(composer, text))
        }}
        onCancel={end}
      />
    </li>
  )
}

/** The model may take an input while somebody changes it: what they wrote is then theirs to send. */
function handBack(composer: ComposerState, text: string): void {
  composer.put([composer.text.get(), text].filter(Boolean).join('\n'))
}

function useUnsaved(composer: ComposerState) {
  const unsaved = useRef<string | null>(null)
  useEffect(
    () => () => {
      if (unsaved.current !== null) handBack(composer, unsaved.current)
    },
    [composer],
  )
  return unsaved
}
