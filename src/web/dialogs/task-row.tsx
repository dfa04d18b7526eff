import { taskMoves } from '../../client/team.ts'
import { useState, type FormEvent } from 'react'
import type { Task, TaskMove } from '../../protocol/http/team.ts'
import { change, settings } from '../state/settings.ts'
import { complain } from '../state/toasts.ts'
import { LinkButton } from '../parts/buttons.tsx'

interface TaskRowProps {
  task: Task
  onMove: (move: TaskMove) => Promise<void>
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
        task.status === 'open' && <LinkButton onClick={() => setAssigned(true)}>Assign…</LinkButton>
      )}
      {taskMoves[task.status].map(({ label, move: wanted }) => (
        <LinkButton key={label} onClick={() => move(wanted)}>
          {label}
        </LinkButton>
      ))}
    </li>
  )
}

/** A task is somebody's by name; the server knows no names, so the last one is kept here. */
function Assign(props: { onAssign: (to: string) => void; onCancel: () => void }) {
  const [name, setName] = useState(settings.get().assignee)
  function assign(event: FormEvent): void {
    event.preventDefault()
    change({ assignee: name.trim() })
    props.onAssign(name.trim())
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
          props.onCancel()
        }}
      />
      <LinkButton type="submit" disabled={name.trim() === ''}>
        Assign
      </LinkButton>
    </form>
  )
}
