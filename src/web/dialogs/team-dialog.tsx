import { composerOf } from '../state/composer-state.ts'
import { closeDialog } from '../state/dialog.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { AddLine } from './add-line.tsx'
import { Dialog } from './dialog.tsx'
import { TaskRow } from './task-row.tsx'
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
            <bdi className="one-line">
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
