import { useState, type FormEvent } from 'react'
import type { Task, TaskMove } from '../../protocol/team.ts'
import { change, settings } from '../state/settings.ts'
import { complain } from '../state/toasts.ts'

interface TaskRowProps {
  task: Task
  onMove: (move: TaskMove) => Promise<void>
}

/** The way on from each state; the server says whether it may be gone. */
const next: Readonly<Record<Task['status'], readonly { label: string; move: TaskMove }[]>> = {
  open: [{ label: 'Done', move: { action: 'done' } }],
  assigned: [
    { label: 'Hand in', move: { action: 'review' } },
    { label: 'Done', move: { action: 'done' } },
  ],
  review: [{ label: 'Approve', move: { action: 'approve' } }],
  done: [],
}

export function TaskRow({ task, onMove }: TaskRowProps) {
  const [isAssigned, setAssigned] = useState(false)
  const move = (wanted: TaskMove) => void onMove(wanted).catch(complain)
  return (
    <li>
      <code>{task.id}</code>
      <bdi className="one-line" title={task.title}>
        {task.title}
      </bdi>
      <span className="tag">
        {task.status}
        {task.assignee !== null && ` · ${task.assignee}`}
      </span>
      {isAssigned && task.status === 'open' ? (
        <Assign
          onAssign={(to) => move({ action: 'assign', to })}
          onCancel={() => setAssigned(false)}
        />
      ) : (
        task.status === 'open' && (
          <button className="link-button" type="button" onClick={() => setAssigned(true)}>
            Assign…
          </button>
        )
      )}
      {next[task.status].map(({ label, move: wanted }) => (
        <button key={label} className="link-button" type="button" onClick={() => move(wanted)}>
          {label}
        </button>
      ))}
    </li>
  )
}

interface AssignProps {
  onAssign: (to: string) => void
  onCancel: () => void
}

/** A task is somebody's by name; the server knows no names, so the last one is kept here. */
function Assign({ onAssign, onCancel }: AssignProps) {
  const [name, setName] = useState(settings.get().assignee)
  function assign(event: FormEvent): void {
    event.preventDefault()
    change({ assignee: name.trim() })
    onAssign(name.trim())
  }
  return (
    <form className="assign" onSubmit={assign}>
      <input
        autoFocus
        aria-label="Who does it"
        placeholder="alice"
        value={name}
        size={12}
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onCancel()
        }}
      />
      <button className="link-button" type="submit" disabled={name.trim() === ''}>
        Assign
      </button>
    </form>
  )
}
