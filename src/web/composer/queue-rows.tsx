import { useState } from 'react'
import type { InputQueued } from '../../protocol/queue.ts'
import { AskEdit } from '../chat/ask-edit.tsx'
import { useSession } from '../state/session.ts'

/** What was said while the model is at work: it waits here, and can be changed until it is taken. */
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
  const { editQueued, withdraw } = useSession()
  const [isEdited, setEdited] = useState(false)
  if (isEdited)
    return (
      <li>
        <AskEdit
          label="Change what waits"
          initial={input.text}
          action="Save"
          onDone={(text) => void editQueued(input.seq, text).then(() => setEdited(false))}
          onCancel={() => setEdited(false)}
        />
      </li>
    )
  return (
    <li>
      <span className="queue-text">{input.text}</span>
      <button className="link-button" type="button" onClick={() => setEdited(true)}>
        Edit
      </button>
      <button className="link-button" type="button" onClick={() => void withdraw(input.seq)}>
        Withdraw
      </button>
    </li>
  )
}
