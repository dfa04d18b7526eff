import type { Task, TaskMove } from '../../protocol/team.ts'
import { composerOf } from '../state/composer-state.ts'
import { closeDialog } from '../state/dialog.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { AddLine } from './add-line.tsx'
import { Dialog } from './dialog.tsx'
import { useTeam } from './use-team.ts'

/** The team's folders, for `/shell`, and its tasks. */
export function TeamDialog({ team }: { team: string }) {
  const { id } = useSession()
  const { repos, tasks, addRepo, removeRepo, addTask, moveTask } = useTeam(team)
  return (
    <Dialog title="Team" className="help" onClose={closeDialog}>
      <header>
        <h2>Team {team}</h2>
        <button className="button" type="button" onClick={closeDialog}>
          Close
        </button>
      </header>
      <h3>Repos</h3>
      <ul className="team-rows" aria-label="Repos">
        {repos.map(({ name, path, missing }) => (
          <li key={name}>
            <code>{name}</code>
            <bdi className="team-about">
              {path}
              {missing && ' (not there now)'}
            </bdi>
            <button
              className="link-button"
              type="button"
              onClick={() => {
                closeDialog()
                composerOf(id).put(`/shell --repo ${name} `)
              }}
            >
              Run here
            </button>
            <button
              className="link-button"
              type="button"
              onClick={() => void removeRepo(name).catch(complain)}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
      <AddLine label="Add repo" placeholder="/home/you/project" onAdd={addRepo} />
      <h3>Tasks</h3>
      <ul className="team-rows" aria-label="Tasks">
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} onMove={(move) => moveTask(task.id, move)} />
        ))}
      </ul>
      <AddLine label="Add task" placeholder="What is to be done" onAdd={addTask} />
    </Dialog>
  )
}

interface TaskRowProps {
  task: Task
  onMove: (move: TaskMove) => Promise<void>
}

/** The way on from each state; the server says whether it may be gone. */
const next: Readonly<Record<Task['status'], readonly { label: string; move: TaskMove }[]>> = {
  open: [
    { label: 'Take', move: { action: 'assign', to: 'me' } },
    { label: 'Done', move: { action: 'done' } },
  ],
  assigned: [
    { label: 'Hand in', move: { action: 'review' } },
    { label: 'Done', move: { action: 'done' } },
  ],
  review: [{ label: 'Approve', move: { action: 'approve' } }],
  done: [],
}

function TaskRow({ task, onMove }: TaskRowProps) {
  return (
    <li>
      <code>{task.id}</code>
      <bdi className="team-about">{task.title}</bdi>
      <span className="tag">
        {task.status}
        {task.assignee !== null && ` · ${task.assignee}`}
      </span>
      {next[task.status].map(({ label, move }) => (
        <button
          key={label}
          className="link-button"
          type="button"
          onClick={() => void onMove(move).catch(complain)}
        >
          {label}
        </button>
      ))}
    </li>
  )
}
