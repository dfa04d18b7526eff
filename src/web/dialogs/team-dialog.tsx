import { useEffect, useMemo, useState, type FormEvent } from 'react'
import { openTeam, taskMoves } from '../../client/team.ts'
import { usePage } from '../state/page.ts'
import { useStore } from '../state/use-store.ts'
import { closeDialog } from '../state/panels.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { Dialog } from './dialog.tsx'
import type { Task, TaskMove } from '../../protocol/http/team.ts'
import { change, settings } from '../state/settings.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'

/** The team's folders, for `/shell`, and its tasks. */
export function TeamDialog({ team }: { team: string }) {
  const { composer } = useSession()
  const { client } = usePage()
  const opened = useMemo(() => openTeam(client, team), [client, team])
  useEffect(() => void opened.refresh().catch(complain), [opened])
  const { repos, tasks } = useStore(opened.work)
  const { change } = opened
  return (
    <Dialog title="Team" className="help" onClose={closeDialog}>
      <header>
        <h2>Team {team}</h2>
        <Button onClick={closeDialog}>Close</Button>
      </header>
      <h3>Repos</h3>
      <ul className="team-rows" aria-label="Repos">
        {repos.map(({ name, path, missing }) => (
          <li key={name}>
            <code>{name}</code>
            <bdi className="one-line">
              {path}
              {missing && ' (not there now)'}
            </bdi>
            <LinkButton
              onClick={() => {
                closeDialog()
                composer.dispatch({ type: 'put', text: `/shell --repo ${name} `, as: 'auto' })
              }}
            >
              Run here
            </LinkButton>
            <LinkButton onClick={() => void change((all) => all.removeRepo(name)).catch(complain)}>
              Forget
            </LinkButton>
          </li>
        ))}
      </ul>
      <AddLine
        label="Add repo"
        placeholder="/home/you/project"
        onAdd={(path) => change((all) => all.addRepo({ path }))}
      />
      <h3>Tasks</h3>
      <ul className="team-rows" aria-label="Tasks">
        {tasks.map((task) => (
          <TaskRow
            key={task.id}
            task={task}
            onMove={(move) => change((all) => all.moveTask(task.id, move))}
          />
        ))}
      </ul>
      <AddLine
        label="Add task"
        placeholder="What is to be done"
        onAdd={(title) => change((all) => all.addTask(title))}
      />
    </Dialog>
  )
}

interface AddLineProps {
  label: string
  placeholder: string
  onAdd: (text: string) => Promise<void>
}

/** A line that adds to the list above it; what was refused stays in it. */
function AddLine({ label, placeholder, onAdd }: AddLineProps) {
  const [text, setText] = useState('')
  function add(event: FormEvent): void {
    event.preventDefault()
    onAdd(text).then(() => setText(''), complain)
  }
  return (
    <form className="add-line" onSubmit={add}>
      <input
        aria-label={label}
        placeholder={placeholder}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        {label}
      </Button>
    </form>
  )
}

interface TaskRowProps {
  task: Task
  onMove: (move: TaskMove) => Promise<void>
}

function TaskRow({ task, onMove }: TaskRowProps) {
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
